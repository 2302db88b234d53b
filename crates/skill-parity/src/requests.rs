//! The requests of an observation.

use std::collections::BTreeMap;

use serde_json::Value;

/// The most requests that a result lists.
const MAX_ASKED: usize = 20;

/// Sorts the requests of an observation, where their order is not to be compared.
pub(crate) fn sort(observed: &mut Value) {
    if let Some(requests) = observed["requests"].as_array_mut() {
        requests.sort_by_cached_key(Value::to_string);
    }
}

/// Sorts the requests of an observation among those with the same method and address: work at the same time asks
/// in any order.
pub(crate) fn sort_equals(observed: &mut Value) {
    let Some(requests) = observed["requests"].as_array_mut() else {
        return;
    };
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, request) in requests.iter().enumerate() {
        places.entry(line(request)).or_default().push(at);
    }
    for places in places.values().filter(|places| places.len() > 1) {
        let equals = places.iter().map(|at| requests[*at].take());
        let mut equals: Vec<Value> = equals.collect();
        equals.sort_by_cached_key(Value::to_string);
        for (at, request) in places.iter().zip(equals) {
            requests[*at] = request;
        }
    }
}

fn line(request: &Value) -> String {
    format!("{} {}", request["method"], request["url"])
}

/// Returns the method and the address of each request of an observation, in order.
pub(crate) fn sequence(observed: &Value) -> Vec<String> {
    let requests = observed["requests"].as_array().into_iter().flatten();
    requests.map(line).collect()
}

/// Returns the method and the address, without its query, of different requests of an observation, in order.
/// The last one is always among them.
pub(crate) fn asked(observed: &Value) -> Vec<String> {
    let requests = observed["requests"].as_array().into_iter().flatten();
    let mut res: Vec<String> = Vec::new();
    for request in requests {
        let text = |key: &str| request[key].as_str().unwrap_or_default();
        let url = text("url").split('?').next().unwrap_or_default();
        let line = format!("{} {url}", text("method"));
        res.retain(|known| *known != line);
        res.push(line);
    }
    if res.len() > MAX_ASKED {
        let last = res.pop();
        res.truncate(MAX_ASKED - 1);
        res.extend(last);
    }
    res
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn requests_to_the_same_address_have_an_order() {
        let request = |url: &str, body: u8| json!({"method": "GET", "url": url, "body": body});
        let mut observed = json!({"requests": [
            request("a", 3), request("b", 9), request("a", 1), request("b", 2),
        ]});
        sort_equals(&mut observed);
        let expected = [
            request("a", 1),
            request("b", 2),
            request("a", 3),
            request("b", 9),
        ];
        assert_eq!(observed["requests"], json!(expected));
    }

    #[test]
    fn the_last_request_is_named() {
        let request =
            |n: usize| json!({"method": "GET", "url": format!("https://a.example/{n}?q={n}")});
        let mut requests: Vec<Value> = (0..50).map(request).collect();
        requests.push(request(3));
        let found = asked(&json!({"requests": requests}));
        assert_eq!(found.len(), MAX_ASKED);
        assert_eq!(found[3], "GET https://a.example/4");
        assert_eq!(found.last().unwrap(), "GET https://a.example/3");
        assert_eq!(asked(&json!({})), Vec::<String>::new());
    }
}
