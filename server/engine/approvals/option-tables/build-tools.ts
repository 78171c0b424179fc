import type { ProgramOptions } from "./program-options.ts";

/** Compilers and build tools. */
export const buildTools: readonly ProgramOptions[] = [
  {
    names: "make gmake bmake remake",
    options: `
      -f -C -I -E -o -W -e --file --makefile --directory --include-dir --eval --old-file --assume-old --what-if
      --new-file --assume-new --environment-overrides`,
    valued: "fCIEojOlW",
    operands: /=/,
  },
  {
    names: "just task mage invoke fab",
    options: `
      -f -d --justfile --working-directory -c --command --shell --shell-arg --set --dotenv-path --dotenv-filename
      --taskfile --dir --search-root --collection --config --init --chooser --edit --dump`,
    operands: /=/,
  },
  {
    names: "tox nox",
    options: "-c -x --conf --override --workdir --root --sitepackages -f --noxfile --envdir --force-python",
    subcommands: "exec devenv config",
  },
  {
    names: "ninja samu meson scons bazel bazelisk buck buck2",
    options: `
      -f -C -t --file --directory --sconstruct --site-dir --output_base --output_user_root --bazelrc --run_under
      --config --workspace_status_command --override_repository --override_module --action_env --host_action_env
      --test_env --repo_env --define --shell_executable --spawn_strategy --strategy --remote_* --native-file
      --cross-file --script_path --symlink_prefix --server_javabase --host_jvm_args --build_event_*`,
    subcommands: "run setup configure mobile-install install dist wrap devenv",
    operands: /=/,
  },
  {
    names: "cmake ctest cpack",
    options: `
      -P -C -D -E -S -B -G -T -A -O --toolchain --install --install-prefix --build-and-test --build-generator
      --graphviz --trace-redirect --script --extra-submit --submit-* --overwrite --test-command --build-run-dir
      --build-makeprogram --output-log --output-junit --profiling-output --preset --workflow --open --config
      --dashboard --project-file`,
    valued: "DCSBGTAPE",
    harmless: "--build --verbose --version --list-presets",
  },
  {
    names: "autoconf automake autoreconf configure libtool",
    options: "-B -I -o -D -F --prepend-include --include --output --prefix --mode --srcdir --cache-file",
    operands: /=/,
  },
  {
    names: `
      gcc g++ cc c++ clang clang++ cpp gfortran tcc emcc em++ nvcc cl clang-cl ld lld gold mold as nasm yasm objcopy`,
    style: "names",
    options: `
      -o* -fplugin* -wrapper* -B* -specs* -dumpbase* -dumpdir* -aux-info* -Wl,* -Xlinker* -Wp,* -Wa,* -Xassembler*
      -Xclang* -Xpreprocessor* -load* -fpass-plugin* -fuse-ld* -ld-path* -plugin* -save-temps* -MF* -MD* -MMD* -MJ*
      -include* -imacros* -iplugindir* -sysroot* -isysroot* -dynamic-linker* -Map* -config* -ccbin* -output* -fdump*
      -fprofile* -fmodule* -run* -serialize-diagnostics* -ftime-trace* -fcrash-diagnostics* -vfsoverlay* -Fe* -Fo*
      -dwp*`,
    operands: /^@|^-$/,
  },
  {
    names: "rustc rustdoc clippy-driver",
    options: `
      -o -C --codegen --out-dir --emit -Z -L --extern --sysroot --test-runtool --test-builder --linker --runtool
      --target`,
    valued: "AWDFlo",
    operands: /^@/,
  },
  {
    names: "cargo cross",
    options: `
      --config -Z --target-dir --manifest-path --out-dir --artifact-dir --registry --index --git --path --root
      --target -C --lockfile-path --token --build-dir --runner`,
    valued: "jpFZC",
    harmless: "-q -v --tests --test --release --lib --bins --all --all-targets --workspace --locked --offline",
    operands: /^\+[./]/,
    subcommands: `
      install run r publish login logout owner yank init new rustc rustdoc script config vendor uninstall`,
  },
  { names: "rustup", options: "--path", subcommands: "run self set override default toolchain" },
  {
    names: "go gotip",
    style: "names",
    options: `
      -exec -toolexec -overlay -o -modfile -C -vettool -work -pkgdir -gccgoflags -gcflags -ldflags -asmflags -c
      -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir -coverprofile -test.* -fuzz -workfile
      -modcacherw -pgo`,
    subcommands: "run generate env install tool get bug work telemetry",
    within: { mod: { subcommands: "edit vendor init" } },
  },
  {
    names: "gofmt goimports gofumpt staticcheck golangci-lint",
    style: "names",
    options: "-w -cpuprofile -srcdir -config -c -modfile -out* -o",
  },
  {
    names: "javac javadoc jar kotlinc groovyc scalac",
    style: "names",
    options: `
      -d -h -s -processor* -proc* -A* -J* -Xplugin* -cp -classpath -class-path -sourcepath -doclet* -taglet*
      -bootclasspath -extdirs -endorseddirs -system -module-path -p -f -file -C -c* -u* -x* -plugin*`,
    operands: /^@/,
  },
  {
    names: "dotnet msbuild csc nuget",
    style: "names",
    options: `
      -p* -property* -l* -logger* -dl* -distributedlogger* -o -output -test-adapter-path -r -results-directory -s
      -settings -source -configfile -d -diag -bl* -binaryLogger* -fl* -additionalprobingpath -additional-deps
      -depsfile -runtimeconfig -artifacts-path -target* -t* -getResultOutputFile* -e -environment -collect
      -analyzer* -out* -add-source -tool-path`,
    operands: /^[@/]|\.dll$/,
    subcommands: "exec run new tool nuget publish pack script fsi add workload dev-certs user-secrets store",
  },
  {
    names: "latex pdflatex xelatex lualatex tex pdftex luatex latexmk bibtex dvips",
    style: "names",
    options: `
      -shell-escape -enable-write18 -write18 -output-directory -jobname -aux-directory -lua* -e -r -pdflatex*
      -latex* -lualatex* -xelatex* -outdir -auxdir -R* -o* -cnf-line -fmt -ini -pretex* -usepretex*`,
    operands: /^[\\&]/,
  },
  {
    names: "nm ar ranlib strip size objdump readelf addr2line strings",
    options: "--plugin -o --output",
    operands: /^@/,
  },
];
