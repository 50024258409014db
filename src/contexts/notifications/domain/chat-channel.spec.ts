import { describe, expect, it } from '@jest/globals';
import { buildChannelRequest, parseChannelAddress, type ChannelKind } from './chat-channel.js';

const TOKEN = '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11';
const MESSAGE = { title: '1 payment underpaid', body: 'Shop: <!channel> @everyone & co' };

describe('A chat channel', () => {
  it.each<[ChannelKind, string, { url: string; body: object }, string]>([
    [
      'slack',
      'https://hooks.slack.com/services/T0/B0/secret',
      {
        url: 'https://hooks.slack.com/services/T0/B0/secret',
        body: {
          text: '*1 payment underpaid*\nShop: &lt;!channel&gt; @\u200beveryone &amp; co',
        },
      },
      'hooks.slack.com',
    ],
    [
      'telegram',
      ` ${TOKEN}  -1001234567890 `,
      {
        url: `https://api.telegram.org/bot${TOKEN}/sendMessage`,
        body: { chat_id: '-1001234567890', text: `${MESSAGE.title}\n${MESSAGE.body}` },
      },
      '-1001234567890',
    ],
    [
      'ntfy',
      'https://ntfy.sh/my-shop',
      { url: 'https://ntfy.sh/', body: { topic: 'my-shop', title: MESSAGE.title, message: MESSAGE.body } },
      'ntfy.sh',
    ],
  ])('receives messages in the format of its kind: %s', (kind, typed, { url, body }, label) => {
    const parsed = parseChannelAddress(kind, typed);
    const request = buildChannelRequest(parsed, MESSAGE);

    expect([request.url, JSON.parse(request.body), parsed.label]).toEqual([url, body, label]);
  });

  it.each([
    ['slack', 'hooks.slack.com/services', 'address'],
    ['telegram', TOKEN, 'address'],
    ['telegram', `${TOKEN}/../x -100`, 'address'],
    ['telegram', `${TOKEN} my chat`, 'address'],
    ['ntfy', 'https://ntfy.sh/', 'address'],
    ['ntfy', 'https://ntfy.sh/a/b', 'address'],
    ['ntfy', 'https://ntfy.sh/a?x=1', 'address'],
    ['irc', 'https://irc.example/a', 'kind'],
  ])('is rejected with the name of the field: %s %s', (kind, typed, field) => {
    expect(() => parseChannelAddress(kind, typed)).toThrow(
      expect.objectContaining({ kind: 'invalid', errors: [expect.objectContaining({ field })] }),
    );
  });
});
