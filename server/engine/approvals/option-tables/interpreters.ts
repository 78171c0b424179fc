import type { ProgramOptions } from "./program-options.ts";

const VERSION = "-v -V --version -h --help";

/** Interpreters: what they load or run besides the script, and the script's own words left out. */
export const interpreters: readonly ProgramOptions[] = [
  {
    names: "python pypy python3 py",
    options: "-c -m -i",
    valued: "cmWX",
    runsModule: "m",
    harmless: "-u -B -b -d -E -I -O -OO -P -q -s -S -v",
    operands: /^-$|^\/dev\//,
    ownOperands: 1,
    scriptFromInput: VERSION,
  },
  {
    names: "node nodejs electron",
    options: `
      -e --eval -p --print -r --require --import --loader --experimental-loader --env-file --env-file-if-exists
      --experimental-default-type --input-type -i --interactive --inspect --inspect-* --openssl-config
      --icu-data-dir --redirect-warnings --trace-event-file-pattern --report-* --cpu-prof --cpu-prof-* --heap-prof
      --heap-prof-* --diagnostic-dir --heapsnapshot-* --prof --test-reporter --test-reporter-destination
      --test-global-setup --run --experimental-config-file --experimental-default-config-file --snapshot-blob
      --build-snapshot --build-sea --experimental-sea-config --policy-* --watch-path --allow-child-process
      --node-snapshot --conditions -C --title --dlopen --max-http-header-size --localstorage-file --tls-keylog
      --require-module --gpu-launcher --app`,
    harmless: `
      --test --watch --check -c --enable-source-maps --no-warnings --no-deprecation --trace-warnings --expose-gc`,
    operands: /^-$|^\/dev\/|^(?:data|https?|file):/,
    ownOperands: 1,
    scriptFromInput: `${VERSION} --test --v8-options --completion-bash`,
  },
  {
    names: "tsx ts-node ts-node-esm swc-node",
    options: `
      -e --eval -p --print -r --require --import --loader -O --compiler-options -P --project --cwd --compiler -C -i`,
    operands: /^-$|^\/dev\//,
    ownOperands: 1,
    scriptFromInput: VERSION,
  },
  {
    names: "deno",
    options: `
      -A --allow-all --allow-run --allow-write --allow-net --allow-env --allow-ffi --allow-import --allow-sys
      --allow-scripts -W -N -R -E -S -I --preload --import-map --config -c --ext --location --env-file --unstable-*
      --v8-flags -o --output --seed --cert --coverage --reload -r --root`,
    subcommands: "eval repl install jupyter compile upgrade serve x create",
    operands: /^-$|^(?:data|https?|file|npm|jsr):/,
  },
  {
    names: "bun",
    options: `
      -e --eval -p --print -r --preload --require --import -c --config --cwd --env-file --outfile --outdir --shell
      --install --registry --define -d --loader -l --inspect --inspect-* --tsconfig-override --cafile --global -g`,
    subcommands: "x create c init exec repl upgrade publish link build",
    operands: /^-$/,
  },
  {
    names: "ruby jruby irb erb",
    options: "-e -r -I -x -S -s -C -X --require --eval --load-path -i",
    valued: "eKErICWTF",
    harmless: "-w -v -c -d -l -n -a",
    operands: /^-$|^\/dev\//,
    ownOperands: 1,
    scriptFromInput: VERSION,
  },
  {
    names: "perl",
    options: "-e -E -M -m -I -i -x -s -S -d -f -C -V",
    valued: "eEMmIF",
    harmless: "-w -v -c",
    operands: /^-$|^\/dev\//,
    ownOperands: 1,
    scriptFromInput: VERSION,
  },
  {
    names: "rake rails thor rspec cucumber",
    options: `
      -r --require -f --rakefile -p --execute-print -e --execute -E --execute-continue -R --rakelibdir -I --libdir
      -C --directory -o --out --options --default-path -g --no-search --trace-file --profile`,
    subcommands: "runner r console c dbconsole db new n generate g destroy d server s",
  },
  {
    names: "prove perldoc perlbug perlcritic",
    options: "-e --exec --harness --source --formatter -P -M -I -r -c -a --archive --rc --profile -T -d -o --theme",
  },
  {
    names: "php",
    options: `
      -r --run -d --define -c --php-ini -B --process-begin -R --process-code -F --process-file -E --process-end -z
      --zend-extension -S --server -t --docroot -a --interactive -f --file -e`,
    operands: /^-$/,
    ownOperands: 1,
    scriptFromInput: `${VERSION} -i -m -l --info --modules`,
  },
  {
    names: "lua luajit luac texlua",
    options: "-e -l -i -b -j -o",
    operands: /^-$/,
    ownOperands: 1,
    scriptFromInput: VERSION,
  },
  {
    names: "sh bash dash zsh ksh ash fish csh tcsh mksh",
    options: "-c -i -s -o -l --rcfile --init-file --posix --login --command --init-command -C",
    harmless: "-e -u -x -n -v -f",
    operands: /^-$|^\/dev\//,
    ownOperands: 1,
    scriptFromInput: "--version --help",
  },
  {
    names: `
      rscript r julia octave groovy scala kotlin jrunscript jshell clojure clj elixir iex erl guile racket sbcl
      clisp tclsh wish expect gnuplot osascript swift ghc ghci runghc runhaskell stack ocaml dart raku nu elvish
      slsh maxima gap csi gsi newlisp janet crystal nim v zig-run scheme chez bpftrace stap dtrace gdb lldb pdb dbx`,
    options: `
      -e -E -c -x -p -r -l -i -L -f -s -F -q --eval --execute --print --load --require --command --batch --init
      --expr --script --exec --ex --one-line --source -ex -eval -iex --init-eval-command --eval-command --dotfile
      --sname --remsh -S --unsafe -cp -classpath --class-path --startup -J --args --pid --core --nx -o --output
      --interactive`,
    operands: /^-$|^\/dev\//,
    ownOperands: 1,
    scriptFromInput: VERSION,
  },
  { names: "busybox toybox", runs: 1 },
  {
    names: "pwsh powershell",
    style: "names",
    options: "-c* -e* -f* -i* -s* -w* -o* -psc* -custom*",
    ownOperands: 1,
    scriptFromInput: "-help -version",
  },
  {
    names: "java javaw",
    style: "names",
    options: `
      -agentlib* -agentpath* -javaagent* -jar -cp -classpath -class-path -module-path -p -m -module -patch-module
      -Xbootclasspath* -XX:OnError* -XX:OnOutOfMemoryError* -XX:Flags* -XX:VMOptionsFile* -XX:LogFile*
      -XX:HeapDumpPath* -Xlog* -Xloggc* -D* -source -upgrade-module-path`,
    operands: /^@/,
    ownOperands: 1,
  },
];
