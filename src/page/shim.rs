//! The script that runs in the isolated world of every frame, joined from its parts.

/// Source of the shim; evaluating it defines one frozen object, `gannet`.
pub(crate) const SOURCE: &str = concat!(
    "(() => {\n",
    include_str!("shim/01_dom.js"),
    include_str!("shim/01_visible.js"),
    include_str!("shim/02_roles.js"),
    include_str!("shim/03_styles.js"),
    include_str!("shim/03_names.js"),
    include_str!("shim/04_wci.js"),
    include_str!("shim/05_states.js"),
    include_str!("shim/05_snapshot.js"),
    include_str!("shim/06_pointer.js"),
    include_str!("shim/07_changes.js"),
    include_str!("shim/08_controls.js"),
    include_str!("shim/09_locate.js"),
    include_str!("shim/10_export.js"),
    "})()"
);

/// Name of the isolated world.
pub(crate) const WORLD: &str = "gannet";

/// How an entry of the shim is called on an element, arguments as JSON.
pub(crate) const CALL: &str = include_str!("shim/call.js");

/// How a closed shadow root is handed to the shim, called on its host with the root as the argument.
pub(crate) const ADOPT: &str = include_str!("shim/adopt.js");

/// How a user's expression is evaluated on an element, in the page's own world.
pub(crate) const EVALUATE: &str = include_str!("shim/evaluate.js");
