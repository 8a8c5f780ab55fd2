//! Which file of a crate depends on which, read from its source with `syn`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;
use syn::{Attribute, Item, ItemMod, UseTree, Visibility};

/// A path from the root of the crate.
type ModulePath = Vec<String>;

/// One module of the crate.
#[derive(Default)]
struct Module {
    file: String,
    /// The items it defines.
    items: HashSet<String>,
    /// What names stand for that it imports or re-exports.
    imports: HashMap<String, Vec<String>>,
    /// The targets of `use …::*`.
    globs: Vec<Vec<String>>,
    /// Imports that are no re-exports.
    private_imports: Vec<Vec<String>>,
    /// Every path in its code.
    paths: Vec<Vec<String>>,
}

type Modules = HashMap<ModulePath, Module>;

/// The dependencies of every file of the crate with this root, by paths relative to the folder of the root.
pub(super) fn dependencies(root: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let folder = root.parent().expect("a folder");
    let mut modules = Modules::new();
    read_file(folder, root, &[], &mut modules);
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (at, module) in &modules {
        let used = graph.entry(module.file.clone()).or_default();
        for path in module.private_imports.iter().chain(&module.paths) {
            if let Some(target) = absolute(&modules, at, path)
                && let Some(file) = file_of(&modules, &target, 0)
                && file != module.file
            {
                used.insert(file);
            }
        }
    }
    graph
}

fn read_file(folder: &Path, file: &Path, at: &[String], modules: &mut Modules) {
    let text = fs::read_to_string(file).expect("a source file");
    let syntax = syn::parse_file(&text).expect("Rust");
    let is_root_of_folder = file
        .file_stem()
        .is_some_and(|stem| stem == "mod" || stem == "lib" || stem == "main");
    let children = if is_root_of_folder {
        file.parent().expect("a folder").to_owned()
    } else {
        file.with_extension("")
    };
    let name = file.strip_prefix(folder).expect("below the root");
    let name = name.to_string_lossy().into_owned();
    read_items(folder, &name, &children, at, &syntax.items, modules);
}

fn read_items(
    folder: &Path,
    file: &str,
    children: &Path,
    at: &[String],
    items: &[Item],
    modules: &mut Modules,
) {
    let mut module = Module {
        file: file.to_owned(),
        ..Module::default()
    };
    for item in items.iter().filter(|item| !is_test(attributes(item))) {
        match item {
            Item::Mod(inner) => {
                let name = inner.ident.to_string();
                let path: ModulePath = at.iter().cloned().chain([name.clone()]).collect();
                read_module(folder, file, &children.join(name), &path, inner, modules);
            }
            Item::Use(item) => {
                let is_private = matches!(item.vis, Visibility::Inherited);
                read_use(&item.tree, &mut Vec::new(), is_private, &mut module);
            }
            other => {
                module.items.extend(name_of(other));
                Paths(&mut module.paths).visit_item(other);
            }
        }
    }
    modules.insert(at.to_vec(), module);
}

fn read_module(
    folder: &Path,
    file: &str,
    children: &Path,
    at: &[String],
    module: &ItemMod,
    modules: &mut Modules,
) {
    if let Some((_, items)) = &module.content {
        read_items(folder, file, children, at, items, modules);
        return;
    }
    let candidates: [PathBuf; 2] = [children.with_extension("rs"), children.join("mod.rs")];
    let found = candidates.iter().find(|file| file.exists());
    read_file(folder, found.expect("the file of a module"), at, modules);
}

fn read_use(tree: &UseTree, before: &mut Vec<String>, is_private: bool, module: &mut Module) {
    let mut add = |name: String, target: Vec<String>| {
        if is_private {
            module.private_imports.push(target.clone());
        }
        module.imports.insert(name, target);
    };
    let with = |name: String| -> Vec<String> { before.iter().cloned().chain([name]).collect() };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            read_use(&path.tree, before, is_private, module);
            before.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                read_use(tree, before, is_private, module);
            }
        }
        UseTree::Glob(_) => module.globs.push(before.clone()),
        UseTree::Name(name) if name.ident == "self" => {
            add(before.last().cloned().unwrap_or_default(), before.clone());
        }
        UseTree::Name(name) => add(name.ident.to_string(), with(name.ident.to_string())),
        UseTree::Rename(rename) => add(rename.rename.to_string(), with(rename.ident.to_string())),
    }
}

/// A path as seen in the module `at`, from the root of the crate; `None` when it leads out of the crate.
fn absolute(modules: &Modules, at: &[String], path: &[String]) -> Option<Vec<String>> {
    let (first, rest) = path.split_first()?;
    let base: Vec<String> = match first.as_str() {
        "crate" => Vec::new(),
        "self" => at.to_vec(),
        "super" => at.split_last()?.1.to_vec(),
        name => {
            let child: Vec<String> = at.iter().cloned().chain([name.to_owned()]).collect();
            let module = modules.get(at)?;
            match module.imports.get(name) {
                Some(target) if target.first().is_some_and(|first| first != name) => {
                    absolute(modules, at, target)?
                }
                _ if modules.contains_key(&child) || module.items.contains(name) => child,
                _ => return None,
            }
        }
    };
    // `super::super`
    if rest.first().is_some_and(|next| next == "super") {
        return absolute(modules, &base, rest);
    }
    Some(base.into_iter().chain(rest.iter().cloned()).collect())
}

/// The file that defines an item; `None` for a module by itself.
fn file_of(modules: &Modules, path: &[String], depth: usize) -> Option<String> {
    let length = (0..=path.len())
        .rev()
        .find(|length| modules.contains_key(&path[..*length]))?;
    let (at, rest) = path.split_at(length);
    let module = &modules[at];
    let (name, rest) = rest.split_first()?;
    if module.items.contains(name) || depth > 16 {
        return Some(module.file.clone());
    }
    if let Some(target) = module.imports.get(name) {
        let mut target = absolute(modules, at, target)?;
        target.extend(rest.iter().cloned());
        return file_of(modules, &target, depth + 1);
    }
    let globs = module
        .globs
        .iter()
        .filter_map(|glob| absolute(modules, at, glob));
    let mut targets = globs.filter_map(|mut glob| {
        glob.push(name.clone());
        file_of(modules, &glob, depth + 1)
    });
    targets.next()
}

/// Collects the paths of expressions, types and macro calls.
struct Paths<'a>(&'a mut Vec<Vec<String>>);

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string());
        self.0.push(segments.collect());
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        token_paths(call.tokens.clone(), self.0);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let mut module = Module::default();
        read_use(&item.tree, &mut Vec::new(), true, &mut module);
        self.0.extend(module.private_imports);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            syn::visit::visit_impl_item_fn(self, item);
        }
    }
}

/// Names joined by `::` among tokens.
fn token_paths(tokens: TokenStream, paths: &mut Vec<Vec<String>>) {
    let mut path: Vec<String> = Vec::new();
    let mut colons = 0;
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                if colons != 2 && !path.is_empty() {
                    paths.push(std::mem::take(&mut path));
                }
                path.push(name.to_string());
                colons = 0;
            }
            TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
            other => {
                colons = 0;
                if !path.is_empty() {
                    paths.push(std::mem::take(&mut path));
                }
                if let TokenTree::Group(group) = other {
                    token_paths(group.stream(), paths);
                }
            }
        }
    }
    if !path.is_empty() {
        paths.push(path);
    }
}

/// `#[cfg(test)]`, also with more conditions.
fn is_test(attributes: &[Attribute]) -> bool {
    let conditions = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"))
        .filter_map(|attribute| attribute.meta.require_list().ok());
    conditions
        .map(|list| list.tokens.to_string())
        .any(|condition| condition == "test" || condition.starts_with("all (test"))
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}
