import { describe, expect, it } from '@jest/globals';
import { csvRecord } from './csv.js';

describe('A record of CSV', () => {
  it.each([
    [['a', 'b'], 'a,b\r\n'],
    [['', undefined, 'c'], ',,c\r\n'],
    [[' spaces '], '"\' spaces "\r\n'],
  ])('is formatted according to RFC 4180: %j', (cells, line) => {
    expect(csvRecord(cells)).toBe(line);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\n=1', '"=1', "'=1", '\u00a0=1', '＝1', '－1', '＠a'])(
    'escapes text so that no spreadsheet runs it as a formula: %j',
    (text) => {
      const [, cell] = /^"?(.*?)"?\r\n$/s.exec(csvRecord([text]))!;

      expect(cell).toBe(`'${text}`.replaceAll('"', '""'));
    },
  );

  it.each(['0', '-0.000001', `${2n ** 256n - 1n}`])('keeps a number unchanged: %s', (number) => {
    expect(csvRecord([{ number }])).toBe(`${number}\r\n`);
  });

  it.each(['', '1e9', '--1', '=1', '1,5', ' 1'])('rejects text in place of a number: %j', (number) => {
    expect(() => csvRecord([{ number }])).toThrow('A number in CSV');
  });
});
