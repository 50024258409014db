export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

export interface DatabaseAddress {
  readonly url: string;
  readonly hosts: readonly DatabaseHost[];
  /** True if only a writable server is accepted. False if the URL contains `target_session_attrs=any`. */
  readonly mustWrite: boolean;
}

const DATABASE_URL_PARTS = /^(postgres(?:ql)?:\/\/)((?:[^@/?#]*@)?)([^/?#]*)(.*)$/;
const HOST_AND_PORT = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/;
const NOT_A_URL_MESSAGE = 'must be a URL that begins with postgres:// or postgresql://.';
const WRITABLE_SERVER_TYPES = ['read-write', 'primary'];

/**
 * Parses libpq's URL form for several hosts (PostgreSQL manual, "Connection URIs"). @throws Error naming the rule
 * that the URL breaks
 */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const [, scheme, user, listed, rest] = DATABASE_URL_PARTS.exec(text) ?? [];
  if (listed === undefined) throw new Error(NOT_A_URL_MESSAGE);
  const names = listed.split(',');
  const url = new URL(withHost(names[0]!));
  const hosts = names.map((name) => parseHost(name, names.length));
  const target = url.searchParams.get('target_session_attrs') ?? 'read-write';
  if (target !== 'any' && !WRITABLE_SERVER_TYPES.includes(target))
    throw new Error('target_session_attrs must be read-write, primary or any: the service writes.');
  if (target === 'any' && names.length > 1)
    throw new Error('target_session_attrs must be read-write with several hosts: the service writes.');
  const balanced = url.searchParams.get('load_balance_hosts') ?? 'disable';
  if (balanced !== 'disable')
    throw new Error('load_balance_hosts is not supported: one server accepts all writes.');
  if (names.length > 1 && url.searchParams.has('host'))
    throw new Error('hosts must be listed before the path, or by the parameter host, not both.');
  url.searchParams.delete('target_session_attrs');
  url.searchParams.delete('load_balance_hosts');
  return { url: url.href, hosts, mustWrite: target !== 'any' };

  function withHost(host: string): string {
    const one = `${scheme}${user}${host}${rest}`;
    if (!URL.canParse(one)) throw new Error(NOT_A_URL_MESSAGE);
    return one;
  }
}

function parseHost(name: string, count: number): DatabaseHost {
  const [, host, port = '5432'] = HOST_AND_PORT.exec(name) ?? [];
  // A URL without a host: its parameter `host` names a socket, or the driver's defaults apply.
  if (host === undefined && count === 1 && name === '') return { host: '', port: 5432 };
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new Error(`the host "${name}" must be a name or an address, with a port from 1 to 65535.`);
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

export function roleOfDatabaseUrl(text: string): string {
  try {
    return decodeURIComponent(new URL(parseDatabaseUrl(text).url).username);
  } catch {
    return '';
  }
}
