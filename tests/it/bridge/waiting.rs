//! Covers, states, and elements that are late, gone, moving or replaced.

use super::corpus::{CLICK, Case};

const COVERED_ERROR: &str = "PRECONDITION_UNMET covered";
const HIDDEN_ERROR: &str = "PRECONDITION_UNMET not_visible";
const DISABLED_ERROR: &str = "PRECONDITION_UNMET disabled";

pub const COVERED: &[Case] = &[
    Case {
        name: "under an overlay",
        html: "<button id=b onclick=say('b')>B</button><div id=veil onclick=say('veil') style='position:fixed;inset:0'></div>",
        want: COVERED_ERROR,
        saw: "",
        says: "veil",
        ..CLICK
    },
    Case {
        name: "under an overlay that goes away",
        html: "<button id=b onclick=say('b')>B</button><div id=veil style='position:fixed;inset:0'></div>\
            <script>setTimeout(() => veil.remove(), 400)</script>",
        ..CLICK
    },
    Case {
        name: "under an overlay that lets the pointer through",
        html: "<button id=b onclick=say('b')>B</button><div style='position:fixed;inset:0;pointer-events:none'></div>",
        ..CLICK
    },
    Case {
        name: "under a cookie banner that can be scrolled away from",
        html: "<div style='height:2000px'></div><button id=b onclick=say('b')>B</button><div style='height:2000px'></div>\
            <div onclick=say('banner') style='position:fixed;left:0;right:0;bottom:0;height:45%;background:#eee'>Cookies</div>",
        ..CLICK
    },
    Case {
        name: "under a sticky header at the top",
        html: "<div onclick=say('header') style='position:sticky;top:0;height:200px;background:#eee'>Header</div>\
            <button id=b onclick=say('b') style='margin-top:40px'>B</button><div style='height:3000px'></div>\
            <script>scrollTo(0, 200)</script>",
        ..CLICK
    },
    Case {
        name: "between a sticky header and a sticky footer",
        html: "<div style='position:sticky;top:0;height:300px;background:#eee'>Header</div><div style='height:1500px'></div>\
            <button id=b onclick=say('b')>B</button><div style='height:1500px'></div>\
            <div style='position:fixed;bottom:0;height:300px;width:100%;background:#eee'>Footer</div>",
        ..CLICK
    },
    Case {
        name: "a modal dialog in the top layer",
        html: "<button id=b onclick=say('b')>B</button><dialog id=d>Hello</dialog><script>d.showModal()</script>",
        want: COVERED_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "a button in a modal dialog",
        html: "<div style='position:fixed;inset:0;z-index:999999'></div><dialog id=d><button id=b onclick=say('b')>B</button></dialog>\
            <script>d.showModal()</script>",
        ..CLICK
    },
    Case {
        name: "a dialog that is not modal covers only what is under it",
        html: "<button id=b onclick=say('b')>B</button><dialog open style='top:200px'>Hello</dialog>",
        ..CLICK
    },
    Case {
        name: "an open popover over it",
        html: "<button id=b onclick=say('b') style='position:fixed;left:600px;top:350px'>B</button>\
            <div id=p popover=manual style='width:400px;height:300px'>Tip</div><script>p.showPopover()</script>",
        want: COVERED_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "a button in a popover",
        html: "<div id=p popover=manual><button id=b onclick=say('b')>B</button></div><script>p.showPopover()</script>\
            <div style='position:fixed;inset:0;z-index:99'></div>",
        ..CLICK
    },
    Case {
        name: "a child covers it: the press reaches it all the same",
        html: "<button id=b onclick=say('b')><span style='display:block;padding:20px'>Inner</span></button>",
        ..CLICK
    },
    Case {
        name: "its own pseudo-element",
        html: "<style>#b::after{content:'';position:absolute;inset:0}#b{position:relative}</style>\
            <button id=b onclick=say('b')>B</button>",
        ..CLICK
    },
    Case {
        name: "a neighbor's pseudo-element",
        html: "<style>#n::after{content:'';position:fixed;inset:0}</style><button id=b onclick=say('b')>B</button><div id=n onclick=say('n')>N</div>",
        want: COVERED_ERROR,
        saw: "",
        says: "id=\\\"n\\\"",
        ..CLICK
    },
    Case {
        name: "pointer-events: none sends the press to what is behind",
        html: "<div id=behind onclick=say('behind') style='padding:40px'><button id=b style='pointer-events:none'>B</button></div>",
        want: COVERED_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "pointer-events: none for a while",
        html: "<div onclick=say('behind')><button id=b onclick=\"say('b');event.stopPropagation()\" style='pointer-events:none'>B</button></div>\
            <script>setTimeout(() => b.style.pointerEvents = '', 400)</script>",
        ..CLICK
    },
    Case {
        name: "a child without pointer events",
        html: "<button id=b onclick=say('b')><span style='pointer-events:none'>Inner</span></button>",
        ..CLICK
    },
    Case {
        name: "half covered: the visible half is not found by guessing, the cover is named",
        html: "<button id=b onclick=say('b') style='width:200px;height:40px'>B</button>\
            <div id=half onclick=say('half') style='position:fixed;left:0;top:0;width:110px;height:40px'></div>",
        want: COVERED_ERROR,
        saw: "",
        says: "half",
        ..CLICK
    },
    Case {
        name: "half covered, with a position that is free",
        html: "<button id=b onclick=say('b') style='width:200px;height:40px'>B</button>\
            <div onclick=say('half') style='position:fixed;left:0;top:0;width:110px;height:40px'></div>",
        options: r#"{"position": {"x": 150, "y": 20}}"#,
        ..CLICK
    },
    Case {
        name: "a cover that comes with the pointer",
        html: "<button id=b onclick=say('b')>B</button><div id=trap onclick=say('trap') onmousedown=say('down') style='display:none;position:fixed;inset:0'></div>\
            <script>b.onmouseenter = () => trap.style.display = 'block'</script>",
        want: COVERED_ERROR,
        saw: "",
        says: "trap",
        ..CLICK
    },
    Case {
        name: "a layout shift when the pointer comes",
        html: "<div id=bar style='height:0'></div><button id=b onclick=say('b') style='display:block;height:30px'>B</button>\
            <button id=other onclick=say('other') style='display:block;height:30px'>Delete</button>\
            <script>b.onmousemove = () => { bar.style.height = '30px' }</script>",
        ..CLICK
    },
    Case {
        name: "a layout shift that puts another button under the pointer",
        html: "<button id=other onclick=say('other') style='display:block;height:0;padding:0;border:0;overflow:hidden'>Delete</button>\
            <button id=b onclick=say('b') style='display:block;height:30px'>B</button>\
            <script>b.onpointermove = () => { other.style.height = '60px' }</script>",
        ..CLICK
    },
    Case {
        name: "a cover in the frame around it",
        html: "<iframe srcdoc=\"<button id=b onclick=&quot;top.say('b')&quot;>B</button>\" style='width:300px;height:200px'></iframe>\
            <div id=veil onclick=say('veil') style='position:fixed;inset:0'></div>",
        node: "frame=iframe >> css=#b",
        want: COVERED_ERROR,
        saw: "",
        says: "veil",
        ..CLICK
    },
    Case {
        name: "transparent is visible, and can be pressed",
        html: "<button id=b onclick=say('b') style='opacity:0'>B</button>",
        ..CLICK
    },
    Case {
        name: "a link under a stretched link",
        html: "<div style='position:relative'><a id=b href='#b' onclick=\"say('b');return false\" style='position:relative;z-index:2'>B</a>\
            <a href='#card' onclick=\"say('card');return false\" style='position:absolute;inset:0;z-index:1'></a></div>",
        ..CLICK
    },
];

pub const STATES: &[Case] = &[
    Case {
        name: "disabled",
        html: "<button id=b disabled onclick=say('b')>B</button>",
        want: DISABLED_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "in a disabled fieldset",
        html: "<fieldset disabled><button id=b onclick=say('b')>B</button></fieldset>",
        want: DISABLED_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "in the legend of a disabled fieldset: enabled",
        html: "<fieldset disabled><legend><button id=b onclick=say('b')>B</button></legend></fieldset>",
        ..CLICK
    },
    Case {
        name: "in the second legend of a disabled fieldset",
        html: "<fieldset disabled><legend>One</legend><legend><button id=b onclick=say('b')>B</button></legend></fieldset>",
        want: DISABLED_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "aria-disabled",
        html: "<button id=b aria-disabled=true onclick=say('b')>B</button>",
        want: DISABLED_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "below aria-disabled",
        html: "<div role=toolbar aria-disabled=true><button id=b onclick=say('b')>B</button></div>",
        want: DISABLED_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "below aria-disabled, across a shadow root",
        html: "<div aria-disabled=true><x-b id=host></x-b></div><script>host.attachShadow({mode:'open'}).innerHTML = \
            `<button id=b onclick=\"say('b')\">B</button>`</script>",
        want: DISABLED_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "inert",
        html: "<div inert><button id=b onclick=say('b')>B</button></div>",
        want: DISABLED_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "inert, across a shadow root",
        html: "<div inert><x-b id=host></x-b></div><script>host.attachShadow({mode:'open'}).innerHTML = \
            `<button id=b onclick=\"say('b')\">B</button>`</script>",
        want: DISABLED_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "an option of a disabled group",
        html: "<select id=b onchange=say('b')><option>One<optgroup label=G disabled><option>Two</optgroup></select>",
        action: "select",
        value: "\"Two\"",
        want: "VALIDATION_FAILED no_such_option",
        saw: "",
        ..CLICK
    },
    Case {
        name: "a text in a disabled button",
        html: "<button disabled onclick=say('b')><span id=b>B</span></button>",
        want: DISABLED_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "a field behind a modal dialog",
        html: "<input id=b oninput=say('b')><dialog id=d><input id=i></dialog><script>d.showModal()</script>",
        action: "fill",
        value: "\"x\"",
        want: COVERED_ERROR,
        saw: "",
        says: "<dialog id=\\\"d\\\">",
        ..CLICK
    },
    Case {
        name: "a read-only field",
        html: "<input id=b readonly oninput=say('b')>",
        action: "fill",
        value: "\"x\"",
        want: "ACTION_NOT_SUPPORTED not_editable",
        saw: "",
        ..CLICK
    },
    Case {
        name: "a read-only textarea",
        html: "<textarea id=b readonly oninput=say('b')></textarea>",
        action: "type",
        value: "\"x\"",
        want: "ACTION_NOT_SUPPORTED not_editable",
        saw: "",
        ..CLICK
    },
    Case {
        name: "aria-readonly",
        html: "<div id=b contenteditable role=textbox aria-readonly=true oninput=say('b')>old</div>",
        action: "fill",
        value: "\"x\"",
        want: "ACTION_NOT_SUPPORTED not_editable",
        saw: "",
        ..CLICK
    },
    Case { name: "a read-only field can be clicked", html: "<input id=b readonly onclick=say('b')>", ..CLICK },
    Case {
        name: "a field that becomes editable",
        html: "<input id=b readonly oninput=say(this.value)><script>setTimeout(() => b.readOnly = false, 400)</script>",
        action: "fill",
        value: "\"x\"",
        saw: "x",
        ..CLICK
    },
    Case {
        name: "a disabled box",
        html: "<input id=b type=checkbox disabled onchange=say('b')>",
        action: "check",
        want: DISABLED_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "a disabled list",
        html: "<select id=b disabled onchange=say('b')><option>One<option>Two</select>",
        action: "select",
        value: "\"Two\"",
        want: DISABLED_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "a disabled field",
        html: "<input id=b disabled oninput=say('b')>",
        action: "fill",
        value: "\"x\"",
        want: DISABLED_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "disabled can be hovered",
        html: "<div onmouseover=say('b')><button id=b disabled>B</button></div>",
        action: "hover",
        ..CLICK
    },
    Case {
        name: "display: none",
        html: "<button id=b style='display:none' onclick=say('b')>B</button>",
        want: HIDDEN_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "visibility: hidden",
        html: "<button id=b style='visibility:hidden' onclick=say('b')>B</button>",
        want: HIDDEN_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "visible in what is hidden",
        html: "<div style='visibility:hidden'><button id=b style='visibility:visible' onclick=say('b')>B</button></div>",
        ..CLICK
    },
    Case {
        name: "hidden attribute",
        html: "<button id=b hidden onclick=say('b')>B</button>",
        want: HIDDEN_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "in closed details",
        html: "<details><summary>More</summary><button id=b onclick=say('b')>B</button></details>",
        want: HIDDEN_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "in open details",
        html: "<details open><summary>More</summary><button id=b onclick=say('b')>B</button></details>",
        ..CLICK
    },
    Case {
        name: "content-visibility: hidden",
        html: "<div style='content-visibility:hidden'><button id=b onclick=say('b')>B</button></div>",
        want: HIDDEN_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "content-visibility: auto, below the fold",
        html: "<div style='height:4000px'></div><div style='content-visibility:auto'><button id=b onclick=say('b')>B</button></div>",
        ..CLICK
    },
    Case {
        name: "no area",
        html: "<button id=b style='width:0;height:0;padding:0;border:0;overflow:hidden' onclick=say('b')></button>",
        want: HIDDEN_ERROR,
        saw: "",
        ..CLICK
    },
    Case {
        name: "clipped away by its container",
        html: "<div style='width:0;height:0;overflow:clip'><button id=b onclick=say('b')>B</button></div>",
        want: "PRECONDITION_UNMET not_in_viewport",
        saw: "",
        ..CLICK
    },
    Case {
        name: "off the page to the left",
        html: "<button id=b style='position:absolute;left:-900px' onclick=say('b')>B</button>",
        want: "PRECONDITION_UNMET not_in_viewport",
        saw: "",
        ..CLICK
    },
    Case {
        name: "fixed, below the viewport",
        html: "<button id=b style='position:fixed;top:2000px' onclick=say('b')>B</button>",
        want: "PRECONDITION_UNMET not_in_viewport",
        saw: "",
        ..CLICK
    },
    Case {
        name: "scaled to nothing",
        html: "<button id=b style='transform:scale(0)' onclick=say('b')>B</button>",
        want: HIDDEN_ERROR,
        saw: "",
        ..CLICK
    },
    Case { name: "not in the page", html: "<p>Nothing</p>", want: "NODE_NOT_FOUND", saw: "", ..CLICK },
    Case {
        name: "two of them",
        html: "<button onclick=say('1')>Go</button><button onclick=say('2')>Go</button>",
        node: "role=button[name=\"Go\"]",
        want: "NODE_NOT_FOUND ambiguous",
        saw: "",
        ..CLICK
    },
];

pub const LATE: &[Case] = &[
    Case {
        name: "comes late",
        html: "<script>setTimeout(() => document.body.innerHTML = `<button id=b onclick=\"say('b')\">B</button>`, 500)</script><p>Wait",
        ..CLICK
    },
    Case {
        name: "enabled late",
        html: "<button id=b disabled onclick=say('b')>B</button><script>setTimeout(() => b.disabled = false, 700)</script>",
        ..CLICK
    },
    Case {
        name: "its fieldset enabled late",
        html: "<fieldset id=f disabled><button id=b onclick=say('b')>B</button></fieldset><script>setTimeout(() => f.disabled = false, 400)</script>",
        ..CLICK
    },
    Case {
        name: "shown late",
        html: "<button id=b style='display:none' onclick=say('b')>B</button><script>setTimeout(() => b.style.display = '', 500)</script>",
        ..CLICK
    },
    Case {
        name: "given an area late",
        html: "<button id=b style='width:0;height:0;padding:0;border:0;overflow:hidden' onclick=say('b')>B</button>\
            <script>setTimeout(() => b.style = '', 400)</script>",
        ..CLICK
    },
    Case {
        name: "moving by an animation that ends",
        html: "<style>@keyframes m{from{transform:translateX(0)}to{transform:translateX(500px)}}#b{animation:m .7s linear forwards}</style>\
            <button id=b onclick=say('b')>B</button>",
        ..CLICK
    },
    Case {
        name: "moving by a transition",
        html: "<style>#b{position:absolute;left:0;transition:left .6s linear}</style><button id=b onclick=say('b')>B</button>\
            <script>requestAnimationFrame(() => requestAnimationFrame(() => b.style.left = '400px'))</script>",
        ..CLICK
    },
    Case {
        name: "moving by script, then at rest",
        html: "<button id=b style='position:absolute' onclick=say('b')>B</button><script>let x = 0; \
            (function step() { b.style.left = (x += 5) + 'px'; if (x < 300) requestAnimationFrame(step) })()</script>",
        ..CLICK
    },
    Case {
        name: "moving for ever",
        html: "<button id=b style='position:absolute' onclick=say('b')>B</button><script>let x = 0; \
            (function step() { b.style.left = (x = (x + 7) % 900) + 'px'; requestAnimationFrame(step) })()</script>",
        want: "PRECONDITION_UNMET not_stable",
        saw: "",
        ..CLICK
    },
    Case {
        name: "moving for ever by styles",
        html: "<style>@keyframes m{from{left:0}to{left:900px}}#b{position:absolute;animation:m 1s linear infinite alternate}</style>\
            <button id=b onclick=say('b')>B</button>",
        want: "PRECONDITION_UNMET not_stable",
        saw: "",
        ..CLICK
    },
    Case {
        name: "spinning in place can be pressed",
        html: "<style>@keyframes s{to{rotate:360deg}}#i{display:inline-block;animation:s 1s linear infinite}</style>\
            <button id=b onclick=say('b')><span id=i>*</span> B</button>",
        ..CLICK
    },
    Case {
        name: "pushed down by a banner that opens above it",
        html: "<style>#bar{height:0;transition:height .5s linear;background:#eee}#bar.open{height:200px}</style><div id=bar onclick=say('bar')></div>\
            <button id=b onclick=say('b') style='display:block'>B</button>\
            <script>requestAnimationFrame(() => requestAnimationFrame(() => bar.className = 'open'))</script>",
        ..CLICK
    },
    Case {
        name: "replaced by a twin every 100 ms",
        html: "<div id=box></div><script>let n = 0; (function draw() { box.innerHTML = `<button id=b onclick=\"say('b')\">B</button>`; \
            if (++n < 12) setTimeout(draw, 100) })()</script>",
        ..CLICK
    },
    Case {
        name: "replaced while it is disabled",
        html: "<button id=b disabled onclick=say('old')>B</button>\
            <script>setTimeout(() => b.outerHTML = `<button id=b onclick=\"say('b')\">B</button>`, 400)</script>",
        ..CLICK
    },
    Case {
        name: "replaced when the pointer comes",
        html: "<div id=box><button id=b>B</button></div><script>b.onmouseover = () => { \
            box.innerHTML = `<button id=b onclick=\"say('b')\">B</button>` }</script>",
        ..CLICK
    },
    Case {
        name: "removed while it is waited for",
        html: "<button id=b disabled onclick=say('b')>B</button><script>setTimeout(() => b.remove(), 200)</script>",
        want: "NODE_NOT_FOUND",
        saw: "",
        ..CLICK
    },
    Case {
        name: "removed when the pointer comes",
        html: "<button id=b onclick=say('b')>B</button><script>b.onmouseover = () => b.remove()</script>",
        want: "NODE_NOT_FOUND",
        saw: "",
        ..CLICK
    },
    Case {
        name: "removed by its own press",
        html: "<button id=b onmousedown=\"say('b');this.remove()\">B</button>",
        ..CLICK
    },
    Case {
        name: "removed by its own click",
        html: "<button id=b onclick=\"say('b');this.remove()\">B</button>",
        ..CLICK
    },
    Case {
        name: "the name changes with each click",
        html: "<button id=b onclick=\"say('b');this.textContent='Clicked'\">Click me</button>",
        node: "role=button[name=\"Click me\"]",
        ..CLICK
    },
    Case {
        name: "a field that comes late",
        html: "<script>setTimeout(() => document.body.innerHTML = `<input id=b oninput=\"say(this.value)\">`, 400)</script><p>Wait",
        action: "fill",
        value: "\"late\"",
        saw: "late",
        ..CLICK
    },
    Case {
        name: "a field replaced when it gets the focus",
        html: "<div id=box><input id=b></div><script>b.onfocus = () => { box.innerHTML = `<input id=b oninput=\"say(this.value)\">` }</script>",
        action: "fill",
        value: "\"x\"",
        saw: "x",
        ..CLICK
    },
    Case {
        name: "an option that comes late",
        html: "<select id=b onchange=say(this.value)><option>One</select><script>setTimeout(() => b.add(new Option('Two')), 400)</script>",
        action: "select",
        value: "\"Two\"",
        saw: "Two",
        ..CLICK
    },
    Case {
        name: "the main thread is busy for a second",
        html: "<button id=b onclick=say('b')>B</button><script>setTimeout(() => { const t = Date.now(); while (Date.now() - t < 1000); }, 0)</script>",
        ..CLICK
    },
    Case {
        name: "an effect after a timer",
        html: "<button id=b onclick=\"setTimeout(() => say('b'), 60)\">B</button>",
        ..CLICK
    },
    Case {
        name: "an effect after a request",
        html: "<button id=b onclick=\"fetch('{here}').then(() => say('b'))\">B</button>",
        ..CLICK
    },
    Case {
        name: "no effect at all",
        html: "<button id=b onclick=\"window.n = 1\">B</button><script>var seen = () => window.n</script>",
        want: "none",
        saw: "1",
        ..CLICK
    },
    Case { name: "a button without a handler", html: "<button id=b>B</button>", want: "none", saw: "", ..CLICK },
];
