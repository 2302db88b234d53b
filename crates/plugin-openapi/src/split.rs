//! The parts of a large service: one for each group of operations.

use plugin_model::ApiOperation;

/// The most operations of one part.
const MAX_OPERATIONS: usize = 500;
/// The most bytes of the schemas of one part, as JSON.
const MAX_BYTES: usize = 1_600_000;

/// A part of a service.
pub(crate) struct Part {
    /// The name of the group; `None` for a whole service.
    pub(crate) group: Option<String>,
    pub(crate) operations: Vec<ApiOperation>,
}

/// Divides the operations of a service, if they are too many or too large for one: by group, in the
/// order in which the groups occur. A group that is too large itself is numbered.
pub(crate) fn split(operations: Vec<ApiOperation>) -> Vec<Part> {
    if fits(&operations) {
        return vec![Part {
            group: None,
            operations,
        }];
    }
    let mut groups: Vec<(String, Vec<ApiOperation>)> = Vec::new();
    for operation in operations {
        match groups.iter_mut().find(|(name, _)| *name == operation.group) {
            Some((_, list)) => list.push(operation),
            None => groups.push((operation.group.clone(), vec![operation])),
        }
    }
    let mut res = Vec::new();
    for (name, list) in groups {
        let mut number = 1;
        let mut part: Vec<ApiOperation> = Vec::new();
        for operation in list {
            part.push(operation);
            if !fits(&part) && part.len() > 1 {
                let last = part.pop();
                res.push(numbered(&name, number, std::mem::take(&mut part)));
                part.extend(last);
                number += 1;
            }
        }
        res.push(numbered(&name, number, part));
    }
    res
}

fn numbered(name: &str, number: usize, operations: Vec<ApiOperation>) -> Part {
    let group = match number {
        1 => name.to_owned(),
        number => format!("{name} {number}"),
    };
    Part {
        group: Some(group),
        operations,
    }
}

fn fits(operations: &[ApiOperation]) -> bool {
    let sizes = operations.iter().map(size);
    operations.len() <= MAX_OPERATIONS && sizes.sum::<usize>() <= MAX_BYTES
}

fn size(operation: &ApiOperation) -> usize {
    operation.input_schema.to_string().len() + operation.description.len()
}
