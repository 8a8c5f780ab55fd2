//! Files that programs execute without being given their names: what a build tool reads, and configuration that is code or
//! names commands.

/// Programs, by the last part of their path, and what they execute of the folder they are called in. A name may have
/// wildcards.
pub(super) const BY_PROGRAM: &[(&[&str], &[&str])] = &[
    (&["ansible", "ansible-playbook"], &["ansible.cfg"]),
    (&["ant"], &["build.xml"]),
    (&["astro"], &["astro.config.*"]),
    (&["babel"], &["babel.config.*", ".babelrc", ".babelrc.*"]),
    (
        &["bazel", "bazelisk"],
        &[
            "MODULE.bazel",
            "WORKSPACE",
            "BUILD",
            "BUILD.bazel",
            ".bazelrc",
        ],
    ),
    (
        &["bun", "npm", "npx", "pnpm", "yarn"],
        &["package.json", ".npmrc", ".pnpmfile.cjs", ".yarnrc.yml"],
    ),
    (
        &["bundle", "rake", "rspec"],
        &["Gemfile", "Rakefile", ".rspec", "spec/spec_helper.rb"],
    ),
    (
        &["cargo"],
        &[
            "Cargo.toml",
            "build.rs",
            ".cargo/config.toml",
            ".cargo/config",
        ],
    ),
    (
        &["cmake", "ctest"],
        &["CMakeLists.txt", "CMakePresets.json"],
    ),
    (&["composer"], &["composer.json"]),
    (&["cypress"], &["cypress.config.*"]),
    (&["deno"], &["deno.json", "deno.jsonc"]),
    (&["direnv"], &[".envrc"]),
    (
        &["docker", "docker-compose", "podman"],
        &[
            "Dockerfile",
            "Containerfile",
            "docker-compose.yml",
            "docker-compose.yaml",
            "compose.yml",
            "compose.yaml",
            ".env",
        ],
    ),
    (
        &["dotnet", "msbuild"],
        &["Directory.Build.props", "Directory.Build.targets"],
    ),
    (
        &["eslint"],
        &["eslint.config.*", ".eslintrc", ".eslintrc.*"],
    ),
    (
        &["git"],
        &[
            ".git/hooks/*",
            ".githooks/*",
            ".husky/*",
            ".pre-commit-config.yaml",
            "lefthook.yml",
        ],
    ),
    (&["go"], &["go.mod"]),
    (&["gmake", "make"], &["GNUmakefile", "makefile", "Makefile"]),
    (
        &["gradle", "gradlew"],
        &[
            "build.gradle",
            "build.gradle.kts",
            "settings.gradle",
            "settings.gradle.kts",
            "gradle.properties",
            "gradle/wrapper/gradle-wrapper.properties",
        ],
    ),
    (&["grunt"], &["Gruntfile.*"]),
    (&["gulp"], &["gulpfile.*"]),
    (&["inv", "invoke"], &["tasks.py"]),
    (&["jest"], &["jest.config.*"]),
    (&["just"], &["justfile", "Justfile", ".justfile"]),
    (
        &["lint-staged"],
        &[".lintstagedrc", ".lintstagedrc.*", "lint-staged.config.*"],
    ),
    (&["meson"], &["meson.build"]),
    (&["mise"], &["mise.toml", ".mise.toml"]),
    (&["mix"], &["mix.exs"]),
    (&["mocha"], &[".mocharc.*"]),
    (
        &["mvn", "mvnw"],
        &[
            "pom.xml",
            ".mvn/extensions.xml",
            ".mvn/jvm.config",
            ".mvn/maven.config",
            ".mvn/wrapper/maven-wrapper.properties",
        ],
    ),
    (&["mypy"], &["mypy.ini", "pyproject.toml", "setup.cfg"]),
    (&["next"], &["next.config.*"]),
    (
        &["nix", "nix-build", "nix-shell"],
        &["flake.nix", "default.nix", "shell.nix"],
    ),
    (&["nox"], &["noxfile.py"]),
    (&["phpunit"], &["phpunit.xml", "phpunit.xml.dist"]),
    (
        &["pip", "pip3", "poetry", "uv"],
        &["pyproject.toml", "setup.py", "setup.cfg"],
    ),
    (&["playwright"], &["playwright.config.*"]),
    (&["pre-commit"], &[".pre-commit-config.yaml"]),
    (
        &["prettier"],
        &["prettier.config.*", ".prettierrc", ".prettierrc.*"],
    ),
    (&["pylint"], &[".pylintrc", "pylintrc", "pyproject.toml"]),
    (
        &["pytest"],
        &[
            "conftest.py",
            "tests/conftest.py",
            "test/conftest.py",
            "pytest.ini",
            "pyproject.toml",
            "tox.ini",
            "setup.cfg",
        ],
    ),
    (&["rollup"], &["rollup.config.*"]),
    (
        &["sbt"],
        &["build.sbt", "project/build.properties", "project/*.sbt"],
    ),
    (&["scons"], &["SConstruct"]),
    (&["sphinx-build"], &["conf.py", "docs/conf.py"]),
    (
        &["stylelint"],
        &["stylelint.config.*", ".stylelintrc", ".stylelintrc.*"],
    ),
    (&["swift"], &["Package.swift"]),
    (&["task"], &["Taskfile.yml", "Taskfile.yaml"]),
    (&["terraform", "tofu"], &["*.tf"]),
    (&["tox"], &["tox.ini"]),
    (&["vagrant"], &["Vagrantfile"]),
    (&["vite", "vitest"], &["vite.config.*", "vitest.config.*"]),
    (&["webpack"], &["webpack.config.*"]),
];

/// What the program that a word names executes.
pub(super) fn of_program(word: &str) -> impl Iterator<Item = &'static str> {
    let program = word.rsplit('/').next().unwrap_or(word).to_owned();
    let rows = BY_PROGRAM.iter();
    let rows = rows.filter(move |(programs, _)| programs.contains(&&*program));
    rows.flat_map(|(_, names)| names.iter().copied())
}
