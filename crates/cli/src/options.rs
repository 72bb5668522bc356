//! The options of the program, declared once.
//!
//! From this table come the program's help, the signatures of the Python package and their types, the types of the npm
//! package, the guide's list, and the lists in errors. To add an option, write a row here and a field of the same name
//! in `args`, which says how its value is understood; then run `OPTIONS=overwrite cargo test -p robolog --test it
//! options::`, which writes the files for Python, npm and the guide. A test fails as long as one of them lacks it.
//!
//! The values of an option that takes words are those that its parser knows. The thresholds of `events` have a table of
//! their own, [`robolog_events::Thresholds::TABLE`].

mod limiting;
mod points;
mod reading;
mod tables;
mod verbs;
mod writing;

/// Options that belong together.
#[derive(Debug)]
pub struct Group {
    /// What they are for, in a word or two.
    pub name: &'static str,
    /// The same in a sentence.
    pub about: &'static str,
    /// The heading in the help; none for the options that each user needs.
    pub heading: &'static str,
    /// The verbs that have them; all, if none is named. `robolog` stands for the program itself.
    pub verbs: &'static [&'static str],
    /// The formats or targets that they concern; any, if none is named.
    pub of: &'static [&'static str],
    /// Why Python does not have them; empty if it does.
    pub python: &'static str,
    /// Why the npm package does not have them, but for those that say so.
    pub browser: &'static str,
    /// The options.
    pub options: &'static [Opt],
}

/// An option.
#[derive(Debug, Clone, Copy)]
pub struct Opt {
    /// Its name without hyphens before it; `n` has one letter.
    pub name: &'static str,
    /// The value.
    pub takes: Takes,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// What else the long help says.
    pub more: &'static str,
    /// What stands for the value in the help; empty for its name.
    pub meta: &'static str,
    /// The value if none is given, as text; empty if there is none.
    pub default: &'static str,
    /// Its name in Python, if that is another.
    pub called: &'static str,
    /// Whether the npm package has it.
    pub browser: bool,
}

/// What an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Switch,
    /// A number, perhaps of seconds.
    Number,
    /// A whole number.
    Count,
    /// A number of bytes, with a unit.
    Bytes,
    /// Any text.
    Text,
    /// A word that the parser knows.
    Word,
    /// Several such words.
    Words,
    /// A path.
    File,
    /// A point in time.
    Moment,
    /// A length of time.
    Span,
    /// Names with wildcards; may be repeated.
    Globs,
    /// `OLD=NEW`; may be repeated.
    Pairs,
    /// Numbers between commas.
    Numbers,
    /// Whole numbers from one up to another, `A..B`.
    Between,
    /// Width and height.
    Pixels,
}

/// All options, in the order for readers.
pub const ALL: &[Group] = &[
    verbs::OUTPUT,
    limiting::FORMAT,
    limiting::TIME,
    limiting::CHANNELS,
    limiting::KINDS,
    limiting::MOST,
    verbs::CONVERT,
    verbs::ALIGNING,
    points::POINTS,
    tables::TABLES,
    writing::PCD,
    writing::MESSAGES,
    writing::LAS,
    writing::GEOJSON,
    writing::CARLA,
    reading::LVX,
    reading::CARLA,
    reading::ALOG,
    reading::VELODYNE,
    reading::KOBLENZ,
    reading::TIMES,
    reading::PLACES,
    verbs::READER,
    verbs::CUT,
    verbs::EDIT,
    verbs::SECRET,
    verbs::SPLIT,
    verbs::EVENTS,
    verbs::LISTED,
    verbs::ALIGN,
    verbs::REPORT,
    verbs::PLOT,
    verbs::CATALOG,
    verbs::DIFF,
    verbs::COUNTED,
    verbs::VIEW,
    verbs::JSON,
    verbs::JSON_INDEX,
    verbs::JSON_CAT,
    verbs::JSON_TWO,
    verbs::JSON_EVENTS,
    verbs::TERMINAL,
];

/// The verb that stands for the program itself.
pub const PROGRAM: &str = "robolog";

impl Group {
    /// Whether a verb has these options.
    pub fn is_of(&self, verb: &str) -> bool {
        self.verbs.is_empty() || self.verbs.iter().any(|one| *one == verb || *one == PROGRAM)
    }
}

impl Opt {
    /// Its name in Python.
    pub fn python(&self) -> String {
        if self.called.is_empty() { self.name.replace('-', "_") } else { self.called.to_owned() }
    }

    const fn meta(self, meta: &'static str) -> Self {
        Self { meta, ..self }
    }

    const fn more(self, more: &'static str) -> Self {
        Self { more, ..self }
    }

    const fn default(self, default: &'static str) -> Self {
        Self { default, ..self }
    }

    const fn called(self, called: &'static str) -> Self {
        Self { called, ..self }
    }

    const fn browser(self) -> Self {
        Self { browser: true, ..self }
    }
}

/// A row of the table.
const fn option(name: &'static str, takes: Takes, about: &'static str) -> Opt {
    Opt { name, takes, about, more: "", meta: "", default: "", called: "", browser: false }
}

/// The options of a verb, each with its group.
pub fn of_verb(verb: &str) -> impl Iterator<Item = (&'static Group, &'static Opt)> {
    ALL.iter()
        .filter(move |group| group.is_of(verb))
        .flat_map(|group| group.options.iter().map(move |one| (group, one)))
}

/// The option of a verb with this name.
pub fn find(verb: &str, name: &str) -> Option<(&'static Group, &'static Opt)> {
    of_verb(verb).find(|(_, one)| one.name == name)
}

/// The words that an option of a verb takes, if it takes words.
pub fn words(verb: &str, name: &str) -> Vec<String> {
    let command = crate::args::command();
    let verb = if verb == PROGRAM { Some(&command) } else { command.find_subcommand(verb) };
    let arg = verb.and_then(|verb| verb.get_arguments().find(|arg| arg.get_long() == Some(name)));
    let values = arg.into_iter().flat_map(clap::Arg::get_possible_values);
    values.map(|value| value.get_name().to_owned()).collect()
}
