import { describe, expect, it } from '@jest/globals';
import { parseDatabaseUrl, roleOfDatabaseUrl } from './database-address.js';

describe('The URL of a database', () => {
  it('names one server, which must be writable by default', () => {
    expect(parseDatabaseUrl('postgres://u:p%40w@db.example/payments?sslmode=verify-full')).toEqual({
      url: 'postgres://u:p%40w@db.example/payments?sslmode=verify-full',
      hosts: [{ host: 'db.example', port: 5432 }],
      mustWrite: true,
    });
    expect(parseDatabaseUrl('postgres://a/b?target_session_attrs=any').mustWrite).toBe(false);
  });

  it('names several servers of which the writable one is used', () => {
    expect(parseDatabaseUrl('postgresql://u:p@a:5433,[2001:db8::1]:5434,c/payments')).toEqual({
      url: 'postgresql://u:p@a:5433/payments',
      hosts: [
        { host: 'a', port: 5433 },
        { host: '2001:db8::1', port: 5434 },
        { host: 'c', port: 5432 },
      ],
      mustWrite: true,
    });
  });

  it('supports target_session_attrs, which the driver does not know', () => {
    const found = parseDatabaseUrl(
      'postgres://u@proxy:5000/payments?target_session_attrs=primary&sslmode=require',
    );

    expect([found.mustWrite, found.url]).toEqual([true, 'postgres://u@proxy:5000/payments?sslmode=require']);
  });

  it.each([
    ['mysql://a/b', 'begins with postgres://'],
    ['postgres://a:1,b:99999/db', 'the host "b:99999" must be'],
    ['postgres://a,,c/db', 'the host "" must be'],
    ['postgres://a,b/db?target_session_attrs=any', 'must be read-write with several hosts'],
    ['postgres://a/db?target_session_attrs=standby', 'must be read-write, primary or any'],
    ['postgres://a,b/db?load_balance_hosts=random', 'load_balance_hosts is not supported'],
    ['postgres://a,b/db?host=/run', 'not both'],
  ])('is rejected with the rule that it breaks: %s', (text, rule) => {
    expect(() => parseDatabaseUrl(text)).toThrow(rule);
  });

  it('names the role, with one host or several', () => {
    expect(['postgres://r%C3%B4le:x@a,b/db', 'postgres://x@a/db', 'nonsense'].map(roleOfDatabaseUrl)).toEqual(
      ['rôle', 'x', ''],
    );
  });
});
