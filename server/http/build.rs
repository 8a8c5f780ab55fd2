//! Has the crate built again when a file of the web page is added or removed.

fn main() {
    println!("cargo::rerun-if-changed=page/dist");
}
