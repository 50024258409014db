import { open, refused, VALID, type Verdict } from '../exchange/heard.js';
import type { Known } from '../known/known.js';

const PRIVATE = /^(?:localhost|127\.|10\.|192\.168\.|169\.254\.|0\.|172\.(?:1[6-9]|2\d|3[01])\.|\[)/;

/** Public HTTPS, any port, no credentials. */
export function urlVerdict(url: unknown, known: Known): Verdict {
  if (typeof url !== 'string' || !URL.canParse(url)) return refused('url is no URL', 'validation_failed');
  const { protocol, hostname, username, password } = new URL(url);
  const isLoopback = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]';
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback)) {
    return refused('url is no HTTPS URL', 'validation_failed');
  }
  if (isLoopback) return open('validation_failed');
  if (username !== '' || password !== '') return refused('url has credentials', 'validation_failed');
  if (PRIVATE.test(hostname)) return refused('url is not public', 'validation_failed');
  return known.webhooks.hosts.has(hostname) ? VALID : open('validation_failed');
}
