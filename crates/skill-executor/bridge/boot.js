// Reads the bridge from the channel and starts it: node -e BOOT DESCRIPTOR LIMIT. One line a
// statement, because this is what a list of processes shows.
const { readSync } = require('fs');
const fd = Number(process.argv[1]);
const read = size => {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; ) {
    const count = readSync(fd, bytes, at, size - at, null);
    if (count === 0) process.exit(0);
    at += count;
  }
  return bytes;
};
const source = read(read(4).readUInt32BE(0)).toString('utf8');
new (require('vm').Script)(source, { filename: 'skill-bridge.js' }).runInThisContext()(require);
