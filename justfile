# Common tasks; `just` lists them.

_list:
    @just --list --unsorted

# Check everything that is quick: formatting, lints, the Rust tests
check:
    ./test rust

# Apply automatic fixes
fix:
    cargo fmt --all
    cargo clippy --workspace --all-targets --fix --allow-dirty --allow-staged

# Every test, the editors' included
test:
    ./test

# Accept the new text of expect-tests
bless *ARGS:
    UPDATE_EXPECT=1 cargo test {{ARGS}}

# How often correct files show problems while they are typed key by key (ATTRACTOR_CORPUS)
typing:
    cargo test -p attractor-ide --lib diagnostics::typing -- --nocapture --include-ignored

# Run the first example
hello:
    cargo run -- run examples/hello.dot

# The suite in a real Neovim
neovim:
    ./test neovim

# The suite in a real VS Code
vscode:
    ./test vscode

# The web page in a real browser
page:
    ./test page

# The GitHub Action as a runner runs it; workflows and packages, judged by independent programs
action:
    ./test action

# Take all pictures of docs/images again: Neovim, VS Code and the page, by their suites
pictures:
    UPDATE_SCREENSHOTS=1 ./test neovim vscode page

# The first minutes with an archive of the program: in an empty root, without Git, with what cannot be written
install-test PROGRAM="target/debug/attractor":
    tests/install/run.sh {{PROGRAM}}

# Pack every crate as for a registry, and compile what was packed
package:
    cargo package --locked --workspace --exclude attractor-tests

# Build twice in different folders and compare: the program, the extension, or an `example` that is quick
reproduce *PARTS="program extension":
    ci/release/reproduce.sh {{PARTS}}

# Compare the public items of the published crates with those of the newest tag
semver:
    ci/release/semver.sh

# Compile the whole program for every platform it is released for
platforms:
    ./test platforms

# Build the web page into the files the server contains
build-page:
    cd server/http/page && npm ci && npm run build

# Build the playground, and serve it with `just playground --serve 8080`
playground *ARGS:
    ci/web/playground.sh {{ARGS}}

# The playground in a real browser
playground-test:
    ./test playground

# Compare the DOT parser with Graphviz, tree-sitter and others, as Markdown: speed, memory, growth
bench-dot *FILES:
    cargo run --release --manifest-path benches/dot-compare/Cargo.toml -- {{FILES}}

# How parsing grows with garbage: each text once, 5 and 25 times as long
growth *ARGS:
    cargo run --release -p attractor-dot --example growth -- {{ARGS}}

# Parity with Graphviz on its own graphs and on real pipelines (ATTRACTOR_CORPUS), and how recovery fares
parity:
    GRAPHVIZ_CORPUS="$(sh engine/dot/tests/it/fetch_graphviz_corpus.sh)" cargo test -p attractor-dot --test it -- --nocapture --include-ignored
    GRAPHVIZ_CORPUS="$(sh engine/dot/tests/it/fetch_graphviz_corpus.sh)" EVERY_FILE=1 cargo test -p attractor-tests --test e2e graphviz_parity -- --nocapture

# Recovery at full length (ATTRACTOR_CORPUS): every file cut at every statement, and the worst shown
recovery WORST="10":
    RECOVERY_ALL=1 RECOVERY_WORST={{WORST}} cargo test --release -p attractor-dot --test it recovery -- --nocapture --include-ignored

# The laws of the formatter on every file of both corpora, under every combination of its options
fmt-laws:
    GRAPHVIZ_CORPUS="$(sh engine/dot/tests/it/fetch_graphviz_corpus.sh)" EVERY_OPTION=1 \
        cargo test --release -p attractor-dot --test it corpus_keeps_the_laws_of_formatting -- --nocapture --include-ignored

# Requests and answers of all adapters, judged by the providers' official Python SDKs; recordings too (ATTRACTOR_STREAMS)
judge-llm:
    cargo build -q -p attractor-cli
    tests/judge/run.sh target/debug/attractor ${ATTRACTOR_STREAMS:-}

# Fuzz lex, parse, format and edit for an hour in all, or one of them: `just fuzz parse 600`
fuzz TARGETS="lex parse format edit" SECONDS="900":
    @cargo fuzz --version >/dev/null 2>&1 || cargo install --quiet cargo-fuzz
    for target in {{TARGETS}}; do \
        mkdir -p fuzz/corpus/$target; \
        RUSTC_BOOTSTRAP=1 cargo fuzz run -s none --fuzz-dir fuzz $target fuzz/corpus/$target fuzz/seeds -- \
            -max_total_time={{SECONDS}} -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 || exit 1; \
    done

# What runs and analysis cost, against the bare disk of this machine (docs/performance.md)
bench:
    cargo run --release -p attractor-run --example steps
    cargo run --release -p attractor-lint --example speed

# Instructions of parsing and analyzing each measured graph, here and at another revision; needs valgrind
instructions REV="HEAD" NODES="10000":
    benches/instructions/compare.sh {{REV}} {{NODES}}

# Milliseconds to compare two versions of a pipeline of 10,000 nodes
bench-diff:
    cargo run --release -p attractor-diff --example diff_speed

# What 1,000 runs that wait for a person take, in one process
bench-waiting RUNS="1000":
    cargo run --release -p attractor-run --example waiting -- {{RUNS}}

# The client for models against the providers' Python SDKs on one server: first text, processor time, memory
bench-llm EVENTS="100000" STREAMS="100":
    cargo build --release -p attractor-llm --example load
    "$(tests/python.sh tests/judge)" benches/llm/bench.py target/release/examples/load {{EVENTS}} {{STREAMS}}

# What sessions of the agent take without their model: processor time of a tool round, memory, cached prefix
bench-agent ROUNDS="1000" SESSIONS="100":
    cargo run --release -p attractor-agent --example sessions -- {{ROUNDS}} {{SESSIONS}}

# What the HTTP server takes with many stored and waiting runs and readers: memory, processor time, latency
bench-serve RUNS="1000" READERS="1000" STORED="4000":
    cargo build --release -p attractor-cli
    python3 benches/serve/load.py target/release/attractor {{RUNS}} {{READERS}} {{STORED}}

# Durable steps per second against LangGraph with SQLite, in turns on the same disk; installs it from PyPI
bench-langgraph NODES="1000" ROUNDS="3":
    cargo build --release -p attractor-cli
    python3 -m venv target/langgraph
    target/langgraph/bin/pip install --quiet -r benches/langgraph/requirements.txt
    target/langgraph/bin/python benches/langgraph/chain.py target/release/attractor {{NODES}} {{ROUNDS}}

# Build the language server for web pages: docs/web.md
build-web *TARGET:
    ci/web/build.sh {{TARGET}}

# From a key to its diagnostics in the module for web pages, and its memory
bench-web:
    ci/web/build.sh nodejs
    node benches/web/keystroke.mjs

# How long an event of a run takes to reach an editor
bench-editor-events LINES="300":
    cargo build --release -p attractor-cli
    python3 benches/editor-events/latency.py target/release/attractor {{LINES}}

# How often completion offers what was written, by kind: `just completion`, or `just completion --half held FILE…`
completion *ARGS:
    cargo run --release -p attractor-ide --example completion_quality -- {{ARGS}}

# Kill a run with a node of every kind again and again, at new moments; ATTRACTOR_KILL_SEED repeats earlier ones
soak KILLS="1000":
    ATTRACTOR_KILLS={{KILLS}} ATTRACTOR_KILL_SEED="${ATTRACTOR_KILL_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}" \
        cargo test -q -p attractor-tests --test e2e killed_run -- --nocapture

# Look for new counterexamples: the property tests again and again, each time with a new seed
counterexamples ROUNDS="50":
    for round in $(seq {{ROUNDS}}); do \
        PROPTEST_RNG_SEED=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ') \
        cargo test -q -p attractor-dot -p attractor-lang -p attractor-agent -p attractor-model -p attractor-lint -p attractor-convert -p attractor-machine -p attractor-ide || exit 1; \
    done

# Kill a run and resume it at once, many times
soak-kills KILLS="400":
    ATTRACTOR_KILLS={{KILLS}} cargo test -q -p attractor-tests --test e2e resume_right_after_kill

# Write the skeleton of a `lint`, `tool`, `provider`, `kind` of node or `route` of the HTTP server: `just new lint unused_label`
new WHAT NAME:
    ci/new/new.sh {{WHAT}} {{NAME}}

# Regenerate reference pages, schemas, word lists and grammars from the catalogue
docs:
    UPDATE_DOCS=1 cargo test -q -p attractor-model -p attractor-lint -p attractor-convert -p attractor-diff -p attractor-config -p attractor-exec -p attractor-machine -p attractor-lsp --lib are_fresh
    UPDATE_DOCS=1 cargo test -q -p attractor-tests --test e2e the_page_has_a_row_per_attack
    node editors/vscode/scripts/grammar.mjs
