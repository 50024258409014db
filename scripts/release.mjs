// Prepares a release: `npm run release -- 0.2.0` sets the version, dates the changelog, commits and tags. It pushes nothing. The
// rendered chart names the version too, so helm has to be installed.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { ROOT, stop } from './runtime.mjs';

const IMAGE = 'payment-collection-service';
const CHANGELOG = 'CHANGELOG.md';
const CHART = 'deploy/helm/Chart.yaml';

process.chdir(ROOT);
const [version] = process.argv.slice(2);
const run = (command, ...args) => execFileSync(command, args, { stdio: 'inherit' });
const read = (command, ...args) => execFileSync(command, args, { encoding: 'utf8' }).trim();
const replaceIn = (file, pattern, text) =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(pattern, text));

if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) stop('Name the version, such as: npm run release -- 0.2.0');
if (read('git', 'status', '--porcelain') !== '') stop('Commit or remove your changes first.');
if (read('git', 'branch', '--show-current') !== 'main') stop('Switch to the branch main first.');
if (read('git', 'tag', '--list', `v${version}`) !== '') stop(`The tag v${version} exists already.`);
const heading = new RegExp(`^## (?:Unreleased|${version.replaceAll('.', '\\.')})$`, 'm');
if (!heading.test(readFileSync(CHANGELOG, 'utf8')))
  stop(`${CHANGELOG} needs a section "## Unreleased" or "## ${version}" that says what changed.`);

replaceIn(CHANGELOG, heading, `## ${version} (${new Date().toISOString().slice(0, 10)})`);
run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
replaceIn(CHART, /^version: .*$/m, `version: ${version}`);
replaceIn(CHART, /^appVersion: .*$/m, `appVersion: '${version}'`);
run('npm', 'run', 'rehearse', '--', 'chart', 'write');
run('npm', 'run', 'build');
run('npm', 'run', 'openapi');
run('git', 'commit', '--all', '--message', `build: release ${version}`);
run('git', 'tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
process.stdout.write(
  `Next:\n  npm run check && npm test\n  git push --follow-tags\n  docker build --tag ${IMAGE}:${version} .\n`,
);
