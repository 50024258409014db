import {
  type ConfigurationReader,
  InvalidNetworksConfiguration,
  refuseRepeats,
} from './configuration-reader.js';

const MOST_ENDPOINTS = 8;

/** Written apart, two spellings of one URL would pass for two second endpoints. */
export function readUrls(reader: ConfigurationReader): string[] {
  const urls = reader.list('rpc_urls', readUrl);
  if (urls.length > MOST_ENDPOINTS)
    throw reader.refuse('rpc_urls', `must name at most ${MOST_ENDPOINTS} endpoints`);
  refuseRepeats(`${reader.path}.rpc_urls`, urls, null, asSent);
  return urls;
}

/** Without the `?` of an empty query. */
function asSent(url: string): string {
  const { username, password, origin, pathname, search } = new URL(url);
  return `${username}:${password}@${origin}${pathname}${search}`;
}

function readUrl(value: unknown, path: string): string {
  if (typeof value !== 'string' || !URL.canParse(value) || !/^https?:\/\//i.test(value)) {
    throw new InvalidNetworksConfiguration(path, 'must be an http or https URL');
  }
  if (value.includes('#')) {
    throw new InvalidNetworksConfiguration(path, 'must not have a fragment (#…), which is never sent');
  }
  return value;
}
