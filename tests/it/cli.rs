//! The command line on real pages: output, exit codes, bad input.

use std::time::Duration;

use crate::support::{cli::Gannet, site};

const PAGES: &[(&str, &str)] = &[
    (
        "/",
        "<title>Sign in</title><main><h1>Welcome</h1><form><label>Email <input name=mail required value='a@b'></label>\
         <label>Password <input type=password value=hunter2></label><select aria-label=Size><option>S<option selected>M</select>\
         <button>Sign in</button></form><div id=host></div><iframe src=/inner></iframe></main>\
         <script>document.getElementById('host').attachShadow({mode:'open'}).innerHTML='<button>In shadow</button>'</script>",
    ),
    ("/inner", "<button>In frame</button>"),
    ("/alert", "<title>Asks</title><script>alert('three, two, one')</script><p>after"),
    (
        "/hostile",
        "<title>Hostile</title><form><input name=children aria-label=Kids><input name=id><input name=childNodes>\
         <input name=parentNode><input name=placeholder><button>Still here</button></form>\
         <p style='opacity:0'>invisible ink</p>\
         <input type=password data-wci-id=pw data-wci-role=form data-wci-state='{\"value\":\"hunter2\"}'>",
    ),
    (
        "/wci",
        "<title>Annotated</title><section data-wci-role=landmark data-wci-id=box data-wci-desc=Box>\
         <button data-wci-id=go data-wci-role=action data-wci-action=click data-wci-scope=box>Go</button></section>",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn the_outline_has_what_a_person_could_use_and_no_secret() {
    let site = site::serve(PAGES).await;
    let output = Gannet::new(["view", &site]).run().await.exits(0);
    for line in [
        "h1 \"Welcome\"",
        "textbox \"Email\" = \"a@b\" [required]",
        "textbox \"Password\" = (secret)",
        "combobox \"Size\" = \"M\" (\"S\" \"M\")",
        "button \"Sign in\"",
        "button \"In shadow\"",
        "button \"In frame\"",
    ] {
        assert!(output.stdout.contains(line), "no `{line}` in\n{}", output.stdout);
    }
    for args in [vec!["view", &site, "--raw"], vec!["view", &site, "--format", "json"]] {
        let output = Gannet::new(args).run().await.exits(0);
        assert!(!output.stdout.contains("hunter2"), "{}", output.stdout);
        serde_json::from_str::<serde_json::Value>(&output.stdout).expect("it is JSON");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_whose_fields_shadow_the_dom_is_read_and_leaks_nothing() {
    let site = site::serve(PAGES).await;
    let output = Gannet::new(["view", &format!("{site}/hostile")]).run().await.exits(0);
    assert!(output.stdout.contains("button \"Still here\""), "{}", output.stdout);
    assert!(!output.stdout.contains("invisible ink"), "{}", output.stdout);
    let raw = Gannet::new(["view", &format!("{site}/hostile"), "--raw"]).run().await.exits(0);
    assert!(raw.stdout.contains("Kids") && !raw.stdout.contains("hunter2"), "{}", raw.stdout);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_keeps_what_a_page_stored() {
    let site = site::serve(&[(
        "/",
        "<p id=p></p><script>p.textContent='visit '+(localStorage.n=1+Number(localStorage.n||0))</script>",
    )])
    .await;
    let place = tempfile::tempdir().expect("a directory can be made");
    let profile = place.path().join("profile").to_string_lossy().into_owned();
    for visit in ["visit 1", "visit 2"] {
        Gannet::new(["view", &site, "--profile", &profile]).run().await.exits(0).prints(visit);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_annotated_page_gives_its_wci_view() {
    let site = site::serve(PAGES).await;
    let json = Gannet::new(["view", &format!("{site}/wci"), "--format", "json", "--scope", "box"]).run().await.exits(0);
    let view: serde_json::Value = serde_json::from_str(&json.stdout).expect("it is JSON");
    assert_eq!((&view["node_count"], &view["scope_desc"]), (&2.into(), &"Box".into()));
    assert_eq!(view["nodes"][1]["id"], "go");
    Gannet::new(["view", &format!("{site}/wci"), "--format", "markdown"])
        .run()
        .await
        .exits(0)
        .prints("| `go` | action |");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screenshot_is_a_picture_of_the_size_asked_for() {
    let site = site::serve(PAGES).await;
    let place = tempfile::tempdir().expect("a directory can be made");
    for name in ["a.png", "b.jpg", "c.webp"] {
        let file = place.path().join(name);
        let path = file.to_string_lossy().into_owned();
        Gannet::new(["shot", &site, "-o", &path, "--viewport", "640x400"]).run().await.exits(0).prints("640x400");
        let picture = image::open(&file).expect("it decodes").into_rgb8();
        assert_eq!(picture.dimensions(), (640, 400));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_input_is_a_coded_error_with_a_hint_on_time() {
    let site = site::serve(PAGES).await;
    let cases: Vec<(Vec<String>, i32, &str)> = vec![
        (vec!["view".into(), "file:///etc/passwd".into()], 2, "scheme `file` is not allowed"),
        (vec!["view".into(), "javascript:alert(1)".into()], 2, "scheme `javascript` is not allowed"),
        (vec!["view".into(), "not a url".into()], 2, "not a URL"),
        (vec!["view".into(), "http://127.0.0.1:1/".into()], 1, "failed"),
        (vec!["view".into(), format!("{site}/hang"), "--timeout".into(), "8000".into()], 1, "did not end in time"),
        (vec!["view".into(), format!("{site}/busy"), "--timeout".into(), "8000".into()], 1, "did not end in time"),
        (vec!["view".into(), site.clone(), "--browser".into(), "/nowhere/chromium".into()], 5, "no Chromium found"),
        (vec!["view".into(), site.clone(), "--browser".into(), "/bin/true".into()], 5, "ended before it answered"),
        (vec!["view".into(), site.clone(), "--cdp".into(), site.clone()], 5, "not a CDP endpoint"),
        (vec!["shot".into(), site.clone(), "-o".into(), "shot.bmp".into()], 2, "no picture format"),
        (vec!["view".into(), site.clone(), "--viewport".into(), "wide".into()], 2, "WIDTHxHEIGHT"),
    ];
    for (args, code, text) in cases {
        let output = Gannet::new(&args).run().await.exits(code);
        assert!(output.stderr.contains(text), "{args:?}: {}", output.stderr);
        assert!(output.stdout.is_empty(), "{args:?}: {}", output.stdout);
        assert!(output.took < Duration::from_secs(20), "{args:?} took {:?}", output.took);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_at_load_is_answered_and_reported() {
    let site = site::serve(PAGES).await;
    let output = Gannet::new(["view", &format!("{site}/alert")]).run().await.exits(0);
    assert!(output.stdout.contains("| after"), "{}", output.stdout);
    assert!(output.stderr.contains("three, two, one"), "{}", output.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_names_the_browser() {
    Gannet::new(["doctor"]).run().await.exits(0).prints("ok   version");
}
