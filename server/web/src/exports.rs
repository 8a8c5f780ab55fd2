//! What the module exports to JavaScript.

use std::cell::RefCell;

use attractor_models::Date;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::server::LanguageServer;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Date)]
    type JsDate;

    #[wasm_bindgen(constructor, js_class = "Date")]
    fn now() -> JsDate;

    #[wasm_bindgen(method, js_name = getFullYear)]
    fn year(this: &JsDate) -> u16;

    /// Counted from 0.
    #[wasm_bindgen(method, js_name = getMonth)]
    fn month(this: &JsDate) -> u8;

    #[wasm_bindgen(method, js_name = getDate)]
    fn day(this: &JsDate) -> u8;
}

thread_local! {
    static SERVER: RefCell<LanguageServer> = RefCell::new(LanguageServer::new(today()));
}

fn today() -> Option<Date> {
    let now = JsDate::now();
    Date::new(now.year(), now.month() + 1, now.day())
}

/// Takes a message of the language server protocol as JSON and returns those that the server sends then. One server per
/// module; it begins again with `initialize` after `exit`.
#[wasm_bindgen]
pub fn handle(message: &str) -> Vec<String> {
    SERVER.with_borrow_mut(|server| server.handle(message))
}
