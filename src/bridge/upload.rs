//! Files into file inputs: paths below the roots that the user named, or contents that the caller gives.

use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{dispatch::Act, failure::Failure, target::Target};
use crate::spec::action::{ErrorCode, Reason};

/// Largest content given with a request, in bytes.
const MOST: usize = 32 * 1024 * 1024;

/// A file given by its content.
#[derive(Debug, Deserialize)]
struct Given {
    name: Value,
    #[serde(default)]
    content: Value,
}

impl Act<'_> {
    /// Gives files to an input; an empty list takes them away.
    pub async fn upload(&self, target: &mut Target, value: Option<&Value>) -> Result<(), Failure> {
        let id = &self.request.node_id;
        let control = &target.begun.control;
        if control.files.is_none() {
            return Err(Failure::Action(crate::spec::action::ActionError {
                code: ErrorCode::ActionNotSupported,
                message: format!("Node \"{id}\" is not a file input; \"upload\" is unsupported."),
                hint: "Target an <input type=\"file\"> node.".into(),
                reason: Some(Reason::Unsupported),
            }));
        }
        if control.disabled {
            let message = format!("{} is disabled", control.said);
            return Err(Failure::because(Reason::Disabled, message, "Fill or choose first what enables it."));
        }
        let files = self.files(value).await?;
        if files.len() > 1 && !control.multiple {
            let message = format!("{} takes one file, not {}", control.said, files.len());
            return Err(Failure::because(Reason::InvalidValue, message, "Give one file."));
        }
        if files.is_empty() {
            // The browser takes an empty list for no request.
            self.page.call(&target.handle, "setNative", &[json!("")], self.deadline).await?;
            return Ok(());
        }
        let params = json!({"files": files, "objectId": target.handle.object_id});
        let call = target.handle.session.call_raw("DOM.setFileInputFiles", params, self.deadline);
        self.page.guarded(call).await?;
        Ok(())
    }

    async fn files(&self, value: Option<&Value>) -> Result<Vec<PathBuf>, Failure> {
        let listed = self.options.files.iter().map(|path| Value::from(path.as_str()));
        let given = match value {
            Some(Value::Array(many)) => many.clone(),
            Some(Value::Null) | None => vec![],
            Some(one) => vec![one.clone()],
        };
        if self.options.files.is_empty() && matches!(value, None | Some(Value::Null)) {
            return Err(no_file());
        }
        let mut files = vec![];
        for one in listed.chain(given) {
            files.push(match one {
                Value::String(path) => self.path(Path::new(&path))?,
                one @ Value::Object(_) => {
                    let given: Given = serde_json::from_value(one).map_err(|_| no_file())?;
                    self.written(&given, files.len()).await?
                }
                _ => return Err(no_file()),
            });
        }
        Ok(files)
    }

    /// A path that lies below a root, links followed.
    fn path(&self, path: &Path) -> Result<PathBuf, Failure> {
        let outside = || {
            Failure::because(
                Reason::UploadOutsideRoot,
                format!("`{}` is not below an upload root", path.display()),
                "Give { name, content } instead, or ask the user for `--upload-root`.",
            )
        };
        let inside = |real: &Path| {
            self.upload_roots.iter().filter_map(|root| root.canonicalize().ok()).any(|root| real.starts_with(root))
        };
        // What may not be read is not even said to be missing.
        let real = path.canonicalize().map_err(|_| outside())?;
        if !inside(&real) {
            return Err(outside());
        }
        if !real.is_file() {
            let message = format!("`{}` is no file", path.display());
            return Err(Failure::because(Reason::InvalidValue, message, "Give the path of a file."));
        }
        Ok(real)
    }

    /// Writes a given content where the browser can read it; the browser reads when the page does.
    async fn written(&self, given: &Given, number: usize) -> Result<PathBuf, Failure> {
        let name = super::controls::text_of(&given.name);
        let content = super::controls::text_of(&given.content);
        let plain = Path::new(&name).components().eq([Component::Normal(name.as_ref())]);
        if !plain || name.is_empty() {
            let message = format!("`{name}` is no file name");
            return Err(Failure::because(Reason::InvalidValue, message, "Give a name without a path."));
        }
        if content.len() > MOST {
            let message = "the content is larger than 32 MiB".to_owned();
            return Err(Failure::because(Reason::InvalidValue, message, "Give a path below an upload root."));
        }
        let Some(scratch) = self.page.scratch() else {
            let message = "the browser runs elsewhere and cannot read files from here".to_owned();
            return Err(Failure::because(Reason::Unsupported, message, "Give a path that the browser can read."));
        };
        // One directory a file: names may repeat, and an earlier one may still be read.
        let stamp = self.started.elapsed().as_nanos();
        let directory = scratch.join(format!("{}-{stamp}-{number}", self.page.tab()));
        let path = directory.join(&name);
        let write = async {
            tokio::fs::create_dir_all(&directory).await?;
            tokio::fs::write(&path, content).await
        };
        write.await.map_err(|error| {
            let message = format!("the file cannot be written: {error}");
            Failure::coded(ErrorCode::UnknownError, message, "Check that the disk has room.")
        })?;
        Ok(path)
    }
}

fn no_file() -> Failure {
    Failure::because(
        Reason::InvalidValue,
        "Upload value must be a File, or { name, content?, type? }, or an array of them.",
        "Pass { name, content } objects when running outside a browser.",
    )
}
