//! Our own flag list: what makes Chromium quiet, deterministic and controllable, one reason each.

/// Flags of every launch.
pub(crate) const BASE: &[&str] = &[
    "--remote-debugging-pipe",
    // No first-run pages, prompts, sync, updates or calls home.
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--no-service-autorun",
    "--no-pings",
    "--metrics-recording-only",
    // No crash handler that outlives the browser.
    "--disable-breakpad",
    "--disable-crash-reporter",
    // Pages in the background run at full speed: an agent has many tabs and looks at one.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    // Input and pictures alike everywhere.
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--mute-audio",
    "--disable-search-engine-choice-screen",
    "--disable-infobars",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--password-store=basic",
    "--use-mock-keychain",
    "--disable-extensions",
    "--allow-pre-commit-input",
    "--export-tagged-pdf",
    // Names resolve and traffic flows as plain TCP: a boundary can see it.
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-features=AcceptCHFrame,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,DialMediaRouteProvider,GlobalMediaControls,HttpsUpgrades,LensOverlay,MediaRouter,OptimizationHints,PaintHolding,ThirdPartyStoragePartitioning,Translate",
];
