import type { VNode } from 'preact';
import { joinLines } from '#shared/kernel/text.js';
import { localTimeInZone } from '#shared/kernel/zoned-day.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { stripDirectionControls } from '#shared/web/formatting/plain-text.js';
import { MAIL_MUTED_COLOUR, MailDocument, MailLink, MailTable } from '#shared/web/mail/mail-document.js';
import type { Mail } from '#contexts/identity/contract/outgoing-mails.js';
import type { NotificationLinks } from '../../application/notification-links.js';
import type { Example, Group } from '../../domain/notification.js';
import type { Addressee, DueRule } from '../persistence/pending-notifications.js';
import { pathOf, rankOf, sumOf, wordsOf } from './digest-words.js';
import { MailFooter, textFooter } from './mail-footer.js';

/** Limits the size of an email, however many events there are. */
const MAX_GROUPS = 60;
const MAX_LISTED = 60;

interface ShownGroup extends Group {
  readonly title: string;
  readonly listed: readonly Example[];
}

type DigestedRule = Pick<DueRule, 'accountName' | 'organizationName' | 'timeZone'> & {
  readonly groups: readonly Group[];
};

export function digestMail(rule: DigestedRule, { email, token }: Addressee, links: NotificationLinks): Mail {
  const { accountName, organizationName, timeZone } = stripDirectionControls(rule);
  const groups = shownGroups(stripDirectionControls(rule.groups));
  const left = rule.groups.length - groups.length;
  const subject = `${subjectOf(groups)} · ${accountName}`;
  const unsubscribeUrl = links.recipient(token);
  const time = (example: Example) =>
    localTimeInZone(timeZone, new Date(example.at)).slice(0, 16).replace('T', ' ');
  const zoned = `Times in ${timeZone}.`;
  const url = ({ kind }: Group, { id }: Example) => links.page(pathOf(kind, id));
  const body = [
    `${joinLines(organizationName)}: ${joinLines(accountName)}`,
    zoned,
    ...groups.map((group) =>
      [
        group.title,
        ...group.listed.map((each) =>
          [`- ${time(each)}`, ...detailsOf(group, each), url(group, each)].map(joinLines).join('  '),
        ),
        ...unlisted(group),
      ].join('\n'),
    ),
    ...(left > 0 ? [`And ${left} more groups.`] : []),
    textFooter(unsubscribeUrl),
  ].join('\n\n');
  const html = htmlDocument(
    <MailDocument
      title={subjectOf(groups)}
      name={`${organizationName} · ${accountName}`}
      footer={<MailFooter url={unsubscribeUrl} />}
    >
      {groups.map((group) => (
        <GroupPart
          group={group}
          time={time}
          url={(example) => url(group, example)}
          isAlone={groups.length === 1}
        />
      ))}
      <p style={{ margin: 0, color: MAIL_MUTED_COLOUR, fontSize: '14px' }}>{zoned}</p>
      {left > 0 && <p>{`And ${left} more groups.`}</p>}
    </MailDocument>,
  );
  return { recipient: email, subject, body, html, unsubscribeUrl };
}

interface GroupPartProps {
  readonly group: ShownGroup;
  readonly time: (example: Example) => string;
  readonly url: (example: Example) => string;
  /** True if the email's title already names the group. */
  readonly isAlone: boolean;
}

function GroupPart({ group, time, url, isAlone }: GroupPartProps): VNode {
  const hasMoney = group.currency !== null;
  const rows = group.listed.map((example) => [
    <MailLink href={url(example)}>{time(example)}</MailLink>,
    <bdi>{example.reference ?? ''}</bdi>,
    ...(hasMoney ? [`${example.amount} ${group.currency}`] : []),
  ]);
  const columns = ['Date', referenceTitle(group), ...(hasMoney ? ['#Amount'] : [])];
  return (
    <>
      {!isAlone && <h2 style={{ margin: '0 0 4px', fontSize: '16px' }}>{group.title}</h2>}
      {rows.length > 0 && <MailTable columns={columns} rows={rows} />}
      {unlisted(group).map((line) => (
        <p style={{ margin: '0 0 16px' }}>{line}</p>
      ))}
    </>
  );
}

function referenceTitle({ kind }: Group): string {
  return kind === 'failing_webhook' ? 'Host' : 'Order number';
}

/** Sorts groups by urgency. All groups have a title, but only the first ones list events. */
function shownGroups(groups: readonly Group[]): ShownGroup[] {
  let room = MAX_LISTED;
  return [...groups]
    .sort((one, other) => rankOf(one) - rankOf(other) || other.events - one.events)
    .slice(0, MAX_GROUPS)
    .map((group) => {
      const listed = group.examples.slice(0, room);
      room -= listed.length;
      const sum = sumOf(group);
      return { ...group, listed, title: sum === undefined ? wordsOf(group) : `${wordsOf(group)}: ${sum}` };
    });
}

function detailsOf({ currency }: Group, { amount, reference }: Example): string[] {
  return [
    ...(amount === undefined ? [] : [`${amount} ${currency}`]),
    ...(reference === undefined ? [] : [reference]),
  ];
}

function unlisted({ events, listed, kind }: ShownGroup): string[] {
  const others = events - listed.length;
  return others <= 0
    ? []
    : [`${others.toLocaleString('en')} more ${kind === 'refund' ? 'refunds' : 'events'} in the dashboard.`];
}

function subjectOf(groups: readonly ShownGroup[]): string {
  const [first, ...others] = groups;
  if (first === undefined) return 'Nothing new';
  if (others.length === 0) return first.title;
  const events = others.reduce((sum, each) => sum + each.events, 0);
  return `${wordsOf(first)}, ${events.toLocaleString('en')} more`;
}
