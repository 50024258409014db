import { describe, expect, it } from '@jest/globals';
import { ownWay } from './own-way.js';

describe('The page after the sign-in', () => {
  it.each(['/app', '/app/team?page=2', '/app?x=1'])('is the requested page: %s', (then) => {
    expect(ownWay(then)).toBe(then);
  });

  it.each([
    undefined,
    '',
    'https://evil.example/',
    '//evil.example/app',
    '/\\evil.example',
    '/app@evil.example',
    '/apple',
    '/v1/pos',
    'javascript:alert(1)',
    '/app/\r\nx: y',
  ])('is the first page if the requested one is not in the dashboard: %j', (then) => {
    expect(ownWay(then)).toBe('/app');
  });
});
