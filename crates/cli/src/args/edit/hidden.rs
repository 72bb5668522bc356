//! Values of `--anonymise`.

use super::EditStep;

/// Data to hide in the copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Hidden {
    Positions(Positions),
    Names,
    Serials,
    /// A regular expression.
    Text(String),
}

/// How to hide positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Positions {
    Shift,
    Drop,
    /// Moves positions back, by the secret.
    Back,
}

impl Hidden {
    /// Parses a list such as `positions=shift,names,text=EXPRESSION`. The expression may contain commas, so it comes
    /// last.
    pub(super) fn parse(text: &str) -> Result<Vec<EditStep>, String> {
        let (list, expression) = match text.split_once("text=") {
            Some((list, expression)) if list.is_empty() || list.ends_with(',') => (list, Some(expression)),
            _ => (text, None),
        };
        let mut steps = Vec::new();
        for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            steps.push(EditStep::Anonymise(match item {
                "positions=shift" | "positions" => Self::Positions(Positions::Shift),
                "positions=drop" => Self::Positions(Positions::Drop),
                "positions=back" => Self::Positions(Positions::Back),
                "names" => Self::Names,
                "serials" => Self::Serials,
                _ => {
                    return Err(format!(
                        "{item}: expected positions=shift, positions=drop, positions=back, names, serials or text=REGEX"
                    ));
                }
            }));
        }
        if let Some(expression) = expression {
            regex_lite::Regex::new(expression).map_err(|error| error.to_string())?;
            steps.push(EditStep::Anonymise(Self::Text(expression.into())));
        }
        if steps.is_empty() { Err("nothing to hide".into()) } else { Ok(steps) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_a_list_that_ends_with_the_text() {
        let hidden = |text: &str| Hidden::parse(text).map(|steps| steps.len());
        assert_eq!(hidden("positions=shift,names,serials,text=a{1,2},b"), Ok(4));
        assert_eq!(
            Hidden::parse("text=a{1,2},names"),
            Ok(vec![EditStep::Anonymise(Hidden::Text("a{1,2},names".into()))])
        );
        assert!(hidden("").is_err() && hidden("position").is_err() && hidden("text=(").is_err());
    }
}
