//! A network whose connections can be cut, and which can be silent.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream, ToSocketAddrs},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
};

pub(crate) struct Proxy {
    pub(crate) port: u16,
    open: Arc<Mutex<Vec<TcpStream>>>,
    is_silent: Arc<AtomicBool>,
}

impl Proxy {
    /// Passes connections on to a server.
    pub(crate) fn to(server: impl ToSocketAddrs + Clone + Send + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let proxy = Self { port, open: Arc::default(), is_silent: Arc::default() };
        let (open, is_silent) = (Arc::clone(&proxy.open), Arc::clone(&proxy.is_silent));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(server.clone()) else { continue };
                for (mut from, mut to) in [
                    (client.try_clone().unwrap(), server.try_clone().unwrap()),
                    (server.try_clone().unwrap(), client.try_clone().unwrap()),
                ] {
                    let is_silent = Arc::clone(&is_silent);
                    thread::spawn(move || {
                        let mut buffer = [0; 8192];
                        while let Ok(length @ 1..) = from.read(&mut buffer) {
                            if !is_silent.load(SeqCst) && to.write_all(&buffer[..length]).is_err() {
                                break;
                            }
                        }
                        let _ = to.shutdown(Shutdown::Both);
                    });
                }
                open.lock().unwrap().extend([client, server]);
            }
        });
        proxy
    }

    /// Ends all connections. New ones are possible.
    pub(crate) fn cut(&self) {
        for connection in self.open.lock().unwrap().drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    /// Swallows all bytes, as a server that is stopped or a network that is cut in the middle.
    pub(crate) fn set_silent(&self, is_silent: bool) {
        self.is_silent.store(is_silent, SeqCst);
    }
}
