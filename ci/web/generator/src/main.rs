//! `generator MODULE FOLDER web|nodejs`: writes the module and the JavaScript and types around it.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder, target] = arguments.as_slice() else {
        eprintln!("usage: generator MODULE FOLDER web|nodejs");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).typescript(true);
    let configured = match target.as_str() {
        "nodejs" => bindgen.nodejs(true),
        _ => bindgen.web(true),
    };
    match configured.and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
