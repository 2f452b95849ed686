//! The facts of one instant, as the shim reports them and `page::collect` joins them over all frames.
//! Rectangles are CSS px, viewport-relative, top frame. Facts only: what to show is decided in `view`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// All frames of a page at one instant. `nodes` is in document order (pre-order), frames inlined below their frame element.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Snapshot {
    pub url: String,
    pub title: String,
    /// Width and height in CSS px.
    pub viewport: [f64; 2],
    /// scrollX, scrollY, scrollWidth, scrollHeight of the top document.
    pub scroll: [f64; 4],
    pub nodes: Vec<SnapNode>,
    /// Annotated elements in document order, visible or not.
    pub wci: Vec<WciElement>,
    /// `data-wci-desc` of the first element of each annotated id, for `scope_desc`.
    pub node_count: usize,
    /// Nodes left out because the page is larger than the caps.
    pub truncated: bool,
    /// Texts left out because a person cannot see them.
    pub hidden_text: u32,
    /// Frames that could not be read, with the reason.
    pub unread_frames: Vec<String>,
}

/// One visible element or text run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SnapNode {
    /// `e12`; empty for text runs.
    #[serde(rename = "ref")]
    pub node_ref: String,
    /// Index of the parent in `nodes`.
    pub parent: Option<u32>,
    pub tag: String,
    /// ARIA role; `text` for a text run (its text is `name`); empty for a plain container that is kept for structure.
    pub role: String,
    pub name: String,
    pub description: String,
    /// Value of a control; never of a secret one.
    pub value: Option<String>,
    /// The control holds a password, one-time code or card number: value withheld.
    pub secret: bool,
    pub level: Option<u32>,
    /// `true`, `false` or `mixed`.
    pub checked: Option<String>,
    pub pressed: Option<String>,
    pub expanded: Option<bool>,
    pub selected: Option<bool>,
    pub current: Option<String>,
    /// `ascending`, `descending` or `other`, of a column's header.
    pub sort: Option<String>,
    pub disabled: bool,
    pub required: bool,
    pub invalid: bool,
    pub readonly: bool,
    pub focused: bool,
    pub multiple: bool,
    /// Options of a select or listbox.
    pub options: Vec<SnapOption>,
    pub href: Option<String>,
    pub input_type: Option<String>,
    pub placeholder: Option<String>,
    pub html_id: Option<String>,
    pub html_name: Option<String>,
    pub test_id: Option<String>,
    /// Acts on input by role or native semantics.
    pub interactive: bool,
    /// Has no role but reacts to clicks (handler, cursor, tabindex).
    pub clickable: bool,
    pub editable: bool,
    pub in_view: bool,
    /// Part of a modal layer, or covered by one.
    pub modal: bool,
    /// x, y, width, height.
    pub rect: [f64; 4],
    /// The `data-wci-id`, when annotated.
    pub wci_id: Option<String>,
    /// Ref of the frame element, for nodes inside a frame.
    pub frame: Option<String>,
}

/// One option of a select.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SnapOption {
    pub label: String,
    pub value: String,
    pub selected: bool,
    pub disabled: bool,
}

/// One element with `data-wci-id` or `data-wci-role`: raw attributes, plus what only JavaScript can say exactly.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WciElement {
    #[serde(rename = "ref")]
    pub node_ref: String,
    /// Index of the nearest annotated ancestor in `wci`.
    pub parent: Option<u32>,
    pub tag: String,
    pub html_id: String,
    /// Attribute values by dataset key without the `wci` prefix, first letter lowered: `id role desc action state precondition required options emit scope hidden priority`.
    pub attrs: Map<String, Value>,
    /// `textContent.trim().slice(0, 120)`, by UTF-16 units.
    pub text: String,
    /// `JSON.parse` of the state when it gives a plain object.
    pub state: Option<Map<String, Value>>,
    /// Options by the reader's rule; `None` when there are none.
    pub options: Option<Vec<String>>,
    /// This element or an ancestor carries a true `data-wci-hidden`, annotated or not.
    pub hidden: bool,
    /// Inside a shadow root or a frame, i.e. beyond what a WCI reader of the top document sees.
    pub nested: bool,
    pub secret: bool,
    pub disabled: bool,
    pub visible: bool,
}
