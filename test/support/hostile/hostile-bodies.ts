import type { Sent } from './hostile-http.js';

export interface HostileBody {
  name: string;
  sent: Partial<Sent>;
  status: number;
  code: string;
}

const TYPES = [
  '',
  'text/plain',
  'text/html',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json, text/plain',
  'application/json5',
  'application/vnd.api+json',
  'application/octet-stream',
  'json',
  '*/*',
];
const ENCODINGS = [
  'gzip',
  'x-gzip',
  'deflate',
  'br',
  'zstd',
  'compress',
  'gzip, gzip',
  'identity, gzip',
  'nonsense',
  '*',
];

/**
 * Bodies that are wrong as a whole.
 * @param json a body that would succeed
 * @param isOptional whether one without any field would, too
 */
export function hostileBodies(json: string, isOptional: boolean): HostileBody[] {
  const type = 'application/json';
  const typed = (value: string): HostileBody => ({
    name: `type "${value}"`,
    sent: { headers: { 'content-type': value } },
    ...{ status: 415, code: 'unsupported_media_type' },
  });
  const packed = (value: string): HostileBody => ({
    name: `encoding "${value}"`,
    sent: { headers: { 'content-type': type, 'content-encoding': value } },
    ...{ status: 415, code: 'unsupported_media_type' },
  });
  const malformed = (name: string, body: string | Buffer): HostileBody => ({
    ...{ name, status: 400, code: 'malformed_json' },
    sent: { body },
  });
  const refused = (name: string, body: string): HostileBody => ({
    ...{ name, status: 400, code: 'validation_failed' },
    sent: { body },
  });
  const notUtf8 = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
  return [
    ...TYPES.map(typed),
    ...ENCODINGS.map(packed),
    malformed('cut short', json.slice(0, -1)),
    malformed('more after it', `${json}}`),
    malformed('two documents', json + json),
    malformed('trailing comma', `${json.slice(0, -1)},}`),
    malformed('single quotes', json.replaceAll('"', "'")),
    malformed('a comment', `/* */${json}`),
    malformed('NaN', '{"amount":NaN}'),
    malformed('Infinity', '{"amount":-Infinity}'),
    malformed('leading zero', '{"amount":007}'),
    malformed('plus sign', '{"amount":+1}'),
    malformed('hexadecimal', '{"amount":0x10}'),
    malformed('raw control character', '{"amount":"a\u0000b"}'),
    malformed('bad escape', '{"amount":"\\x41"}'),
    malformed('no UTF-8', notUtf8),
    malformed('UTF-16', Buffer.from(json, 'utf16le')),
    malformed('blanks only', '  \n'),
    malformed('unclosed nesting', '['.repeat(60_000)),
    malformed('a form', 'amount=1&unique_asset_id=x'),
    refused('a list', `[${json}]`),
    refused('an empty list', '[]'),
    refused('a text', '"amount"'),
    refused('a number', '1e400'),
    refused('true', 'true'),
    refused('deep lists', '['.repeat(30_000) + ']'.repeat(30_000)),
    refused('deep objects', `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`),
    ...(isOptional ? [] : [refused('an empty object', '{}'), refused('null', 'null')]),
    {
      name: 'more than 64 KiB',
      sent: { body: ' '.repeat(65_536) + json },
      status: 413,
      code: 'payload_too_large',
    },
    { name: '900 kB', sent: { body: json + ' '.repeat(900_000) }, status: 413, code: 'payload_too_large' },
  ];
}
