//! Pushes over smart http, to git's own `http-backend` behind a listener on loopback.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use super::Server;
use crate::support::World;

/// A listener that ends with the test.
struct Listener {
    port: u16,
    has_ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Listener {
    /// Serves the repositories below the folder of a world.
    fn start(world: &World) -> Self {
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = socket.local_addr().unwrap().port();
        let has_ended = Arc::new(AtomicBool::new(false));
        let (world, ended) = (world.clone(), Arc::clone(&has_ended));
        let thread = std::thread::spawn(move || {
            for stream in socket.incoming() {
                if ended.load(Ordering::SeqCst) {
                    break;
                }
                answer(&world, stream.unwrap());
            }
        });
        Self {
            port,
            has_ended,
            thread: Some(thread),
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.has_ended.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(("127.0.0.1", self.port)));
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// One request, as far as the backend asks for it.
#[derive(Default)]
struct Request {
    method: String,
    target: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    /// Reads a request to its end; none where the other side only looked whether we are there.
    fn read(stream: &TcpStream) -> Option<Self> {
        let mut reader = BufReader::new(stream);
        let mut first = String::new();
        reader.read_line(&mut first).unwrap();
        let mut words = first.split(' ');
        let mut request = Self {
            method: words.next()?.to_owned(),
            target: words.next()?.to_owned(),
            ..Self::default()
        };
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            let Some((name, value)) = line.trim_end().split_once(": ") else {
                break;
            };
            let header = (name.to_ascii_lowercase(), value.to_owned());
            request.headers.push(header);
        }
        if request.header("expect").is_some() {
            (&*stream)
                .write_all(b"HTTP/1.1 100 Continue\r\n\r\n")
                .unwrap();
        }
        request.body = request.body(&mut reader);
        Some(request)
    }

    /// Returns the value of a header.
    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Reads the body, of a length that was told or in pieces.
    fn body(&self, reader: &mut impl std::io::BufRead) -> Vec<u8> {
        let mut body = Vec::new();
        if self.header("transfer-encoding") == Some("chunked") {
            loop {
                let mut size = String::new();
                reader.read_line(&mut size).unwrap();
                let size = u64::from_str_radix(size.trim(), 16).unwrap();
                reader.take(size).read_to_end(&mut body).unwrap();
                reader.read_line(&mut String::new()).unwrap();
                if size == 0 {
                    return body;
                }
            }
        }
        let length = self.header("content-length").map_or("0", |text| text);
        let length = length.parse().unwrap();
        reader.take(length).read_to_end(&mut body).unwrap();
        body
    }
}

/// Answers one request through the backend, as a web server does (RFC 3875).
fn answer(world: &World, mut stream: TcpStream) {
    let Some(request) = Request::read(&stream) else {
        return;
    };
    let (path, query) = request
        .target
        .split_once('?')
        .unwrap_or((&request.target, ""));
    let mut command = world.command("git", &world.home(), ["http-backend"]);
    command
        .env("GIT_PROJECT_ROOT", world.temp_path())
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("REMOTE_USER", "ada")
        .env("REMOTE_ADDR", "127.0.0.1")
        .env("REQUEST_METHOD", &request.method)
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("CONTENT_LENGTH", request.body.len().to_string());
    for (header, variable) in [
        ("content-type", "CONTENT_TYPE"),
        ("content-encoding", "HTTP_CONTENT_ENCODING"),
        ("git-protocol", "HTTP_GIT_PROTOCOL"),
    ] {
        if let Some(value) = request.header(header) {
            command.env(variable, value);
        }
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(&request.body)
        .unwrap();
    let output = child.wait_with_output().unwrap().stdout;
    let text = String::from_utf8_lossy(&output);
    let status = text
        .lines()
        .find_map(|line| line.strip_prefix("Status: "))
        .unwrap_or("200 OK");
    let head = format!("HTTP/1.1 {}\r\nConnection: close\r\n", status.trim());
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&output).unwrap();
}

#[test]
fn pushes_over_http_are_judged() {
    let server = Server::new().with_bad_work();
    let listener = Listener::start(&server.clone);
    server.bare.git(["config", "http.receivepack", "true"]);
    let url = format!("http://127.0.0.1:{}/origin.git", listener.port);
    server.clone.git(["remote", "set-url", "origin", &url]);

    let server = server.judging();
    drop((listener, server));
}
