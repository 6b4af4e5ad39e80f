//! The recipes of `docs/fleet.md` are units of systemd and manifests of Kubernetes.

use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const PAGE: &str = include_str!("../../../../docs/fleet.md");

fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let (_, found) = PAGE.split_once(&fence).expect("a block");
    let blocks = std::iter::once(found).chain(found.split(&*fence).skip(1));
    blocks.map(|block| block.split("```").next().unwrap()).collect()
}

/// A temporary folder, removed when this value is dropped.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn left_out(what: &str) {
    let _ = writeln!(std::io::stderr(), "left out: {what}");
}

#[test]
fn systemd_accepts_the_units() {
    let folder = Folder(env::temp_dir().join(format!("sortid-units-{}", std::process::id())));
    fs::create_dir_all(&folder.0).unwrap();
    for unit in blocks("ini") {
        let (name, _) = unit.split_once('\n').unwrap();
        let name = Path::new(name).file_name().unwrap().to_str().unwrap();
        let file = folder.0.join(name.replace('@', "@1"));
        // The program and the user need not be on this host.
        let unit = unit.replace("/usr/local/bin/orders-fleet", "/bin/echo").replace("User=orders\n", "");
        fs::write(&file, unit).unwrap();
        let Ok(output) = Command::new("systemd-analyze").arg("verify").arg("--man=no").arg(&file).output()
        else {
            return left_out("units of systemd, because systemd-analyze is not installed");
        };
        let stderr = String::from_utf8(output.stderr).unwrap();
        let ours: Vec<_> = stderr.lines().filter(|line| line.contains(&name.replace('@', "@1"))).collect();
        assert!(output.status.success() && ours.is_empty(), "{stderr}");
    }
}

#[test]
fn manifests_are_yaml_with_what_kubernetes_requires() {
    const CHECK: &str = "
import sys
try: import yaml
except ImportError: sys.exit(3)
it = yaml.safe_load(sys.stdin)
spec = it['spec']
pod = spec['template']
kinds = {'Job': 'batch/v1', 'Deployment': 'apps/v1'}
assert it['apiVersion'] == kinds[it['kind']] and it['metadata']['name']
if it['kind'] == 'Job':
    assert pod['spec']['restartPolicy'] in ('OnFailure', 'Never'), 'a Job ends'
else:
    assert spec['selector']['matchLabels'] == pod['metadata']['labels'], 'a selector that matches the pods'
for container in pod['spec']['containers']:
    assert container['name'] and container['image']
    for variable in container['env']:
        assert variable['name'] and ('value' in variable) != ('valueFrom' in variable), variable
";
    let manifests = blocks("yaml");
    assert_eq!(manifests.len(), 2);
    for manifest in manifests {
        let mut python = Command::new("python3");
        python.args(["-c", CHECK]).stdin(Stdio::piped()).stderr(Stdio::piped());
        let Ok(mut child) = python.spawn() else {
            return left_out("manifests of Kubernetes, because python3 is not installed");
        };
        child.stdin.take().unwrap().write_all(manifest.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        match output.status.code() {
            Some(3) => return left_out("manifests of Kubernetes, because PyYAML is not installed"),
            code => assert_eq!(code, Some(0), "{}", String::from_utf8_lossy(&output.stderr)),
        }
    }
}

#[test]
fn the_manifests_start_the_service_of_the_page_with_what_it_reads() {
    let main = include_str!("../../../../examples/service/src/main.rs");
    let routes = include_str!("../../../../examples/service/src/lib.rs");
    for manifest in blocks("yaml") {
        for (_, rest) in manifest.match_indices("image: ").map(|(at, _)| manifest[at..].split_at(7)) {
            assert!(rest.starts_with("registry.example/orders:1\n"), "{manifest}");
        }
        let variables: Vec<_> =
            manifest.split("name: ").skip(1).filter_map(|rest| rest.split([',', ' ', '\n']).next()).collect();
        let variables =
            variables.iter().filter(|name| name.chars().all(|it| it.is_ascii_uppercase() || it == '_'));
        let mut count = 0;
        for name in variables {
            assert!(main.contains(&format!("env::var(\"{name}\")")), "{name}");
            count += 1;
        }
        assert!(count > 0 && manifest.contains("name: DATABASE_URL,"), "{manifest}");
        for path in manifest.split("path: ").skip(1).filter_map(|rest| rest.split([',', ' ']).next()) {
            assert!(routes.contains(&format!(".route(\"{path}\"")), "no route {path}");
        }
        if let Some((_, command)) = manifest.split_once("command: [service, ") {
            let command = command.split(']').next().unwrap();
            assert!(main.contains(&format!("Some(\"{command}\")")), "no command {command}");
        }
    }
}
