import type { VNode } from 'preact';
import { collapseToOneLine } from '#shared/kernel/text.js';
import { localTimeInZone } from '#shared/kernel/zoned-day.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { stripDirectionControls } from '#shared/web/formatting/plain-text.js';
import { MAIL_MUTED_COLOUR, MailDocument, MailLink, MailTable } from '#shared/web/mail/mail-document.js';
import type { Mail } from '#contexts/identity/contract/outgoing-mails.js';
import type { NotificationLinks } from '../../application/notification-links.js';
import type { NotificationExample, NotificationGroup } from '../../domain/notification.js';
import type { ChannelMessage } from '../../domain/chat-channel.js';
import type { Addressee, DueRule } from '../persistence/pending-notifications.js';
import { dashboardPathOf, urgencyRankOf, formatSum, titleOfGroup } from './digest-words.js';
import { MailFooter, textFooter } from './mail-footer.js';

const MAX_GROUPS_PER_MAIL = 60;
const MAX_LISTED_EVENTS = 60;

interface ShownGroup extends NotificationGroup {
  readonly title: string;
  readonly listed: readonly NotificationExample[];
}

type DigestedRule = Pick<DueRule, 'accountName' | 'organizationName' | 'timeZone'> & {
  readonly groups: readonly NotificationGroup[];
};

export function digestMail(rule: DigestedRule, { email, token }: Addressee, links: NotificationLinks): Mail {
  const { accountName, organizationName, timeZone } = stripDirectionControls(rule);
  const groups = selectShownGroups(stripDirectionControls(rule.groups));
  const left = rule.groups.length - groups.length;
  const subject = `${mailSubject(groups)} · ${accountName}`;
  const unsubscribeUrl = links.mailConsentUrl(token);
  const time = (example: NotificationExample) =>
    localTimeInZone(timeZone, new Date(example.at)).slice(0, 16).replace('T', ' ');
  const zoned = `Times in ${timeZone}.`;
  const url = ({ kind }: NotificationGroup, { id }: NotificationExample) =>
    links.dashboardPageUrl(dashboardPathOf(kind, id));
  const body = [
    `${collapseToOneLine(organizationName)}: ${collapseToOneLine(accountName)}`,
    zoned,
    ...groups.map((group) =>
      [
        group.title,
        ...group.listed.map((each) =>
          [`- ${time(each)}`, ...exampleDetails(group, each), url(group, each)]
            .map(collapseToOneLine)
            .join('  '),
        ),
        ...unlistedNote(group),
      ].join('\n'),
    ),
    ...(left > 0 ? [`And ${left} more groups.`] : []),
    textFooter(unsubscribeUrl),
  ].join('\n\n');
  const html = htmlDocument(
    <MailDocument
      title={mailSubject(groups)}
      name={`${organizationName} · ${accountName}`}
      footer={<MailFooter url={unsubscribeUrl} />}
    >
      {groups.map((group) => (
        <GroupSection
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

const MAX_GROUPS_PER_MESSAGE = 10;
const MAX_DETAIL_LENGTH = 80;
const MAX_EVENTS_PER_MESSAGE = 10;

/** For chats, which limit the length of a message (Telegram and ntfy: 4,096 characters). */
export function digestMessage(rule: DigestedRule, links: NotificationLinks): ChannelMessage {
  const { accountName, organizationName } = stripDirectionControls(rule);
  const groups = selectShownGroups(stripDirectionControls(rule.groups));
  const shown = groups.slice(0, MAX_GROUPS_PER_MESSAGE);
  const events = shown.flatMap((group) => group.listed.map((event) => ({ group, event })));
  const left = groups.length - shown.length;
  const body = [
    `${organizationName}: ${accountName}`,
    ...(groups.length > 1 ? shown.map(({ title }) => title) : []),
    ...events
      .slice(0, MAX_EVENTS_PER_MESSAGE)
      .map(({ group, event }) =>
        [
          ...exampleDetails(group, event).map(shorten),
          links.dashboardPageUrl(dashboardPathOf(group.kind, event.id)),
        ].join(' · '),
      ),
    ...(left > 0 ? [`And ${left} more groups.`] : []),
  ];
  return {
    title: mailSubject(groups),
    body: body.map(collapseToOneLine).join('\n'),
  };
}

function shorten(text: string): string {
  return text.length <= MAX_DETAIL_LENGTH ? text : `${text.slice(0, MAX_DETAIL_LENGTH - 1)}…`;
}

interface GroupPartProps {
  readonly group: ShownGroup;
  readonly time: (example: NotificationExample) => string;
  readonly url: (example: NotificationExample) => string;
  /** The title of the email already names the only group. */
  readonly isAlone: boolean;
}

function GroupSection({ group, time, url, isAlone }: GroupPartProps): VNode {
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
      {unlistedNote(group).map((line) => (
        <p style={{ margin: '0 0 16px' }}>{line}</p>
      ))}
    </>
  );
}

function referenceTitle({ kind }: NotificationGroup): string {
  return kind === 'failing_webhook' ? 'Host' : 'Order number';
}

/** All groups get a title, but only the first groups list their events. */
function selectShownGroups(groups: readonly NotificationGroup[]): ShownGroup[] {
  let room = MAX_LISTED_EVENTS;
  return [...groups]
    .sort((one, other) => urgencyRankOf(one) - urgencyRankOf(other) || other.events - one.events)
    .slice(0, MAX_GROUPS_PER_MAIL)
    .map((group) => {
      const listed = group.examples.slice(0, room);
      room -= listed.length;
      const sum = formatSum(group);
      return {
        ...group,
        listed,
        title: sum === undefined ? titleOfGroup(group) : `${titleOfGroup(group)}: ${sum}`,
      };
    });
}

function exampleDetails(
  { currency }: NotificationGroup,
  { amount, reference }: NotificationExample,
): string[] {
  return [
    ...(amount === undefined ? [] : [`${amount} ${currency}`]),
    ...(reference === undefined ? [] : [reference]),
  ];
}

function unlistedNote({ events, listed, kind }: ShownGroup): string[] {
  const others = events - listed.length;
  return others <= 0
    ? []
    : [`${others.toLocaleString('en')} more ${kind === 'refund' ? 'refunds' : 'events'} in the dashboard.`];
}

function mailSubject(groups: readonly ShownGroup[]): string {
  const [first, ...others] = groups;
  if (first === undefined) return 'Nothing new';
  if (others.length === 0) return first.title;
  const events = others.reduce((sum, each) => sum + each.events, 0);
  return `${titleOfGroup(first)}, ${events.toLocaleString('en')} more`;
}
