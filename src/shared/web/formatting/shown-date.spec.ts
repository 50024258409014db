import { describe, expect, it } from '@jest/globals';
import { PAGE_LANGUAGES } from '../messages/languages.js';
import { shownDate, shownMoment } from './shown-date.js';

const LATE = new Date('2027-02-28T23:05:00Z');

describe('A date on a page', () => {
  it('is that of UTC, in the words of the language', () => {
    expect(PAGE_LANGUAGES.map((language) => shownDate(LATE, language))).toEqual([
      'February 28, 2027',
      '28 de febrero de 2027',
      '28 de fevereiro de 2027',
    ]);
  });

  it('says its time zone where it has a time', () => {
    expect(PAGE_LANGUAGES.map((language) => shownMoment(LATE, language))).toEqual([
      'February 28, 2027 at 23:05\u00a0UTC',
      '28 de febrero de 2027 a las 23:05\u00a0UTC',
      '28 de fevereiro de 2027 às 23:05\u00a0UTC',
    ]);
  });
});
