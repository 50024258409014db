import { describe, expect, it } from '@jest/globals';
import { csvRecord } from './csv.js';

describe('A record of CSV', () => {
  it.each([
    [['a', 'b'], 'a,b\r\n'],
    [['', undefined, 'c'], ',,c\r\n'],
    [['a,b', 'say "hi"', 'two\r\nlines'], '"a,b","say ""hi""","two\r\nlines"\r\n'],
    [[' spaces '], '"\' spaces "\r\n'],
    [['Zürich 東京 🏪'], 'Zürich 東京 🏪\r\n'],
  ])('writes %j by RFC 4180', (cells, line) => {
    expect(csvRecord(cells)).toBe(line);
  });

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '"=1',
    "'=1",
    ' =1',
    '\u00a0=1',
    '＝1',
    '＋1',
    '－1',
    '＠a',
  ])('writes the text %j so that no spreadsheet takes it for a formula', (text) => {
    const [, cell] = /^"?(.*?)"?\r\n$/s.exec(csvRecord([text]))!;

    expect(cell).toBe(`'${text}`.replaceAll('"', '""'));
  });

  it.each([
    '0',
    '12.5',
    '-5',
    '-0.000001',
    '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  ])('leaves the number %s as it is', (number) => {
    expect(csvRecord([{ number }])).toBe(`${number}\r\n`);
  });

  it.each(['', '1e9', '--1', '=1', '1,5', 'NaN', ' 1', '1 '])('takes %j for no number', (number) => {
    expect(() => csvRecord([{ number }])).toThrow('A number in CSV');
  });
});
