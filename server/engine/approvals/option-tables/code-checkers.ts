import type { ProgramOptions } from "./program-options.ts";

/** Test runners, linters, formatters and bundlers: the modules that they load, and the files that they write. */
export const codeCheckers: readonly ProgramOptions[] = [
  {
    names: "tsc tsgo vue-tsc",
    style: "names",
    options: "-outDir -outFile -out -declarationDir -tsBuildInfoFile -generateTrace -generateCpuProfile -plugins",
    operands: /^@/,
  },
  {
    names: "eslint tslint stylelint xo standard oxlint",
    options: `
      -c --config --rulesdir --plugin --parser --parser-options --resolve-plugins-relative-to -f --format
      --formatter -o --output-file --cache-location --cache-file --flag --rules-dir --custom-syntax
      --custom-formatter --config-basedir --stats-file --inspect-config --init`,
    harmless: "--fix --cache --quiet",
  },
  {
    names: "prettier biome dprint",
    options: `
      --config --config-path --plugin --plugin-search-dir --cache-location --reporter-file --log-file --log-path
      --plugins`,
    subcommands: "lsp-proxy start daemon migrate init",
  },
  {
    names: "jest",
    options: `
      -c --config --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --runner --testRunner --transform
      --resolver --dependencyExtractor --reporters --rootDir --roots --outputFile --coverageDirectory --env
      --testEnvironment --haste --preset --projects --modulePaths --moduleNameMapper --snapshotSerializers
      --testSequencer --watchPlugins --cacheDirectory --prettierPath --filter --testResultsProcessor
      --coverageReporters --init --globals`,
    harmless: "--ci --coverage --watch --watchAll",
  },
  {
    names: "vitest vite webpack webpack-cli rollup parcel esbuild swc babel tsup rspack gulp grunt ng",
    options: `
      -c --config --config-* -r --root --dir --reporter --outputFile --outputFile.* --globalSetup --environment
      --coverage.* --setupFiles --runner --pool --browser --browser.* --api --outDir --out-dir --outfile --outdir
      --output --output-* -o --out-file --plugin --plugins --presets --require -p --configPlugin --dist-dir
      --cache-dir --loader --env --env-file --gulpfile --cwd --gruntfile --base --tasks --servedir --serve --inject
      --alias --host --open`,
    subcommands: "init generate new add create import publish deploy plugin telemetry config",
    harmless: "--run --passWithNoTests",
  },
  {
    names: "nx lerna turbo",
    options: `
      --cwd --cache-dir --remote-cache* --team --token --api --runner --nxBail --profile --graph --generate -c
      --prefix`,
    subcommands: "exec run-commands generate g new add create import init publish migrate login link",
  },
  {
    names: "mocha ava tap nodemon playwright cypress",
    options: `
      -r --require --import --loader --experimental-loader -c --config --package --opts -R --reporter -O
      --reporter-option --reporter-options -u --ui -n --node-option --node-arguments --file --extension -e --exec -x
      --execMap --ext --cwd --output -C --config-file --env --browser --on-* --use-* --before --after`,
    harmless: "-g --grep --recursive --exit --bail --headed",
    subcommands: "open install codegen show-trace",
  },
  {
    names: "pytest nosetests nose2 trial",
    options: `
      -p -c -o -W --config-file --rootdir --confcutdir --override-ini --basetemp --junitxml --junit-xml --log-file
      --resultlog --result-log --pastebin --pdb --pdbcls --trace --debug --import-mode --cov-config --cov-report
      --html --json-report-file --rsyncdir --tx --report-log --with-* --xunit-file --cache-dir --plugin --ds
      --settings`,
    valued: "kmnr",
    harmless: "-v -q -s -x -l --verbose --quiet",
    operands: /^@/,
  },
  {
    names: "phpunit pest paratest",
    options: `
      -c --configuration --bootstrap --prepend --include-path --extension --loader --printer -d --log-* --coverage-*
      --testdox-* --cache-* --generate-* --migrate-configuration`,
  },
  {
    names: "coverage",
    options: "--rcfile --data-file -o -d --directory --source --concurrency -m --module",
    subcommands: "run",
  },
  {
    names: "mypy pyright pylint flake8 ruff black isort bandit pyre yapf autopep8",
    options: `
      --config --config-file --custom-typeshed-dir --python-executable --install-types --junit-xml --*-report
      --cache-dir --cache-map --shadow-file --plugins --load-plugins --rcfile --init-hook --output --output-file -o
      --append-config --code -c -f --format --formatter --tee --baseline --pythonpath --venvpath --venv-path
      --typeshedpath --createstub --settings-file --settings-path`,
    harmless: "-q -v --verbose --version --check --diff --strict --fix",
    operands: /^@/,
  },
  {
    names: "pre-commit",
    options: "-c --config --hook-dir",
    subcommands: "try-repo install install-hooks init-templatedir",
  },
  {
    names: "lint-staged commitlint semantic-release",
    options: "-c --config --cwd -x --extends -e --edit -p --plugins --shell",
  },
];
