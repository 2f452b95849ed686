//! What a killed or stopped driver leaves behind: nothing. Processes are found by their user-data-dir, which only
//! this driver's browser has.

use std::time::Duration;

use rustix::process::Signal;

use crate::support::{
    cli::{Gannet, command},
    mcp::Mcp,
    processes::{alive, guardian_of, naming, signal, user_data_dir, within},
    site,
};

/// Bar R1: the browser is gone so soon after its driver.
const GONE_WITHIN: Duration = Duration::from_secs(1);
/// A driver that was asked to stop may take this long to close its browser.
const CLEAN_WITHIN: Duration = Duration::from_secs(5);
/// Bound on starting a browser.
const START_WITHIN: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_driver_leaves_no_process_and_its_directory_is_swept() {
    let site = site::serve(&[("/", "<title>Here</title><p>here</p>")]).await;
    let mut driver = command().args(["view", &format!("{site}/hang")]).spawn().expect("gannet starts");
    let pid = driver.id().expect("it runs");
    assert!(within(START_WITHIN, || user_data_dir(pid).is_some()).await, "the driver has a browser");
    let profile = user_data_dir(pid).expect("it has just been there");
    let directory = profile.parent().expect("the profile is inside the browser's directory").to_owned();

    signal(pid, Signal::KILL);

    let gone = within(GONE_WITHIN, || naming(&profile).is_empty()).await;
    assert!(gone, "still running after {GONE_WITHIN:?}: {:?}", naming(&profile));
    driver.wait().await.expect("it can be waited for");
    Gannet::new(["view", &format!("{site}/")]).run().await.exits(0);
    assert!(!directory.exists(), "{} outlived the next start", directory.display());
}

/// The hardest moments: Chromium still starting, and a Chromium that does not run at all.
#[tokio::test(flavor = "multi_thread")]
async fn a_driver_killed_at_any_moment_leaves_no_process() {
    let site = site::serve(&[]).await;
    for moment in [0, 30, 100, 250, 600] {
        let mut driver = command().args(["view", &format!("{site}/hang")]).spawn().expect("gannet starts");
        let pid = driver.id().expect("it runs");
        assert!(within(START_WITHIN, || user_data_dir(pid).is_some()).await, "the driver has a browser");
        let profile = user_data_dir(pid).expect("it has just been there");
        assert!(within(START_WITHIN, || guardian_of(pid).is_some()).await, "the browser has a guardian");
        let guardian = guardian_of(pid).expect("it has just been there");
        tokio::time::sleep(Duration::from_millis(moment)).await;
        let stopped = naming(&profile);
        if moment == 600 {
            for process in &stopped {
                signal(*process, Signal::STOP);
            }
        }

        signal(pid, Signal::KILL);

        let gone = within(GONE_WITHIN, || naming(&profile).is_empty() && !alive(guardian)).await;
        assert!(gone, "killed after {moment} ms, still running: {:?}", naming(&profile));
        driver.wait().await.expect("it can be waited for");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_driver_takes_everything_along() {
    let site = site::serve(&[]).await;
    for wanted in [Signal::INT, Signal::TERM, Signal::HUP] {
        let mut driver = command().args(["view", &format!("{site}/hang")]).spawn().expect("gannet starts");
        let pid = driver.id().expect("it runs");
        assert!(within(START_WITHIN, || user_data_dir(pid).is_some()).await, "the driver has a browser");
        let profile = user_data_dir(pid).expect("it has just been there");
        let directory = profile.parent().expect("the profile is inside the browser's directory").to_owned();

        signal(pid, wanted);

        assert!(within(CLEAN_WITHIN, || !alive(pid)).await, "the driver still runs after {CLEAN_WITHIN:?}");
        assert!(within(GONE_WITHIN, || naming(&profile).is_empty()).await, "its browser still runs");
        assert!(!directory.exists(), "{} is left", directory.display());
        assert_eq!(driver.wait().await.expect("it can be waited for").code(), Some(130));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_closes_the_stream_ends_the_driver() {
    let site = site::serve(&[("/", "<title>Kept open</title><p>here</p>")]).await;
    let mcp = Mcp::start(&[]).await;
    mcp.navigate(&format!("{site}/")).await;
    let (pid, profile) = (mcp.pid, user_data_dir(mcp.pid).expect("the driver has a browser"));
    let directory = profile.parent().expect("the profile is inside the browser's directory").to_owned();

    mcp.close().await;

    assert!(within(CLEAN_WITHIN, || !alive(pid)).await, "the driver still runs after {CLEAN_WITHIN:?}");
    assert!(within(GONE_WITHIN, || naming(&profile).is_empty()).await, "its browser still runs");
    assert!(!directory.exists(), "{} is left", directory.display());
}
