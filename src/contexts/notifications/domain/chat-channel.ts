import { invalidField } from '#shared/kernel/domain-error.js';
import { parseAbsoluteUrl } from '#shared/kernel/text.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import type { NotificationRuleId } from './notification-rule.js';

/** `slack`: an incoming webhook of Slack, Mattermost, or Discord (with `/slack` at its end). */
export const CHANNEL_KINDS = ['slack', 'telegram', 'ntfy'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

export const MAX_CHANNELS_PER_RULE = 5;
export const TELEGRAM_API = 'https://api.telegram.org';

export interface ChannelAddress {
  readonly kind: ChannelKind;
  /** Secret, because anyone who knows it can post. A URL, or a bot token and a chat id. */
  readonly address: string;
}

export interface ChannelReference {
  readonly organizationId: OrganizationId;
  readonly ruleId: NotificationRuleId;
  readonly channelId: string;
}

export interface ChannelMessage {
  readonly title: string;
  readonly body: string;
}

/** Bot tokens are a number and a secret. A chat is a number, negative for groups, or the name of a public channel. */
const TELEGRAM_ADDRESS = /^([0-9]{1,20}:[A-Za-z0-9_-]{20,100})\s+(-?[0-9]{1,20}|@[A-Za-z0-9_]{1,64})$/;
const NTFY_TOPIC_PATH = /^\/[A-Za-z0-9_-]{1,64}$/;

/** @returns the address, and the part of it that is no secret @throws validation_failed on `kind` or `address` */
export function parseChannelAddress(
  kind: string,
  typed: string,
): ChannelAddress & { readonly label: string } {
  const address = typed.trim();
  if (kind === 'telegram') {
    const chat = TELEGRAM_ADDRESS.exec(address)?.[2];
    if (chat !== undefined) return { kind, address, label: chat };
    const example = '123456:ABC-DEF1234ghIkl-zyx57W2v1u -1001234567890';
    throw invalidField(
      'address',
      'telegram',
      `must be a bot token, a space and a chat id, such as ${example}.`,
    );
  }
  if (kind !== 'slack' && kind !== 'ntfy')
    throw invalidField('kind', 'choice', `must be one of ${CHANNEL_KINDS.join(', ')}.`);
  const url = parseAbsoluteUrl(address);
  if (url === undefined)
    throw invalidField('address', 'url', 'must be an absolute URL that begins with https://.');
  if (kind === 'ntfy' && !NTFY_TOPIC_PATH.test(url.pathname + url.search))
    throw invalidField('address', 'ntfy', 'must be the URL of one topic, such as https://ntfy.sh/my-shop.');
  return { kind, address: url.href, label: url.host };
}

/** @returns the URL to post to, and the JSON body in the format of the channel's kind */
export function buildChannelRequest(
  { kind, address }: ChannelAddress,
  { title, body }: ChannelMessage,
  telegramApi: string = TELEGRAM_API,
): { readonly url: string; readonly body: string } {
  switch (kind) {
    case 'slack':
      return { url: address, body: JSON.stringify({ text: escapeSlackMarkup(`*${title}*\n${body}`) }) };
    case 'telegram': {
      const [token, chat] = address.split(/\s+/);
      const text = `${title}\n${body}`;
      return { url: `${telegramApi}/bot${token}/sendMessage`, body: JSON.stringify({ chat_id: chat, text }) };
    }
    case 'ntfy': {
      const { origin, pathname } = new URL(address);
      return { url: `${origin}/`, body: JSON.stringify({ topic: pathname.slice(1), title, message: body }) };
    }
  }
}

/** A payer's text must not mention people (`<!channel>`, or `@everyone` on Discord) or disguise a link. */
function escapeSlackMarkup(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll('@', '@\u200b');
}
