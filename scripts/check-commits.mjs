// Checks the subjects of commits: `area: what changes for somebody`, at most 72 characters, no full stop. Merges and commits from
// before the rule are not checked.
import { execFileSync } from 'node:child_process';

const RULE_SINCE = '2026-11-29T15:50:00Z';
const MOST = 72;
const FORM = /^[a-z0-9-]+: \S.*[^.]$/;

const log = ['log', '--no-merges', `--since=${RULE_SINCE}`, '--format=%h %s'];
const commits = execFileSync('git', log, { encoding: 'utf8' }).split('\n').filter(Boolean);
const wrong = commits.filter((line) => {
  const subject = line.slice(line.indexOf(' ') + 1);
  return subject.length > MOST || !FORM.test(subject);
});
for (const line of wrong)
  process.stdout.write(`${line}: write "area: effect" in at most ${MOST} characters, without a full stop\n`);
process.exit(wrong.length === 0 ? 0 : 1);
