import { describe, expect, it } from '@jest/globals';
import { DeploymentCell, parseCellMark, parseOtherCells } from './deployment-cell.js';
import { isUuid } from './ids.js';

const RANDOM = 'x'.repeat(22);

describe('A public code', () => {
  it('begins with the letter or digit of its cell, 0 by default', () => {
    expect([new DeploymentCell('k').addCellMark(RANDOM), new DeploymentCell().addCellMark(RANDOM)]).toEqual([
      `k${RANDOM}`,
      `0${RANDOM}`,
    ]);
  });

  it('belongs to another cell if it begins with that cell’s letter and has the length of such codes', () => {
    const cell = new DeploymentCell('k', 'aB');

    for (const mark of ['a', 'B']) expect(cell.isCodeOfOtherCell(mark + RANDOM)).toBe(true);
    // Old codes have no cell mark and may begin with any letter. A code with the mark of an unknown cell may have moved
    // here.
    for (const code of [`a${RANDOM.slice(1)}`, `k${RANDOM}`, `b${RANDOM}`, `-${RANDOM}`, '', `a${RANDOM}x`])
      expect([code, cell.isCodeOfOtherCell(code)]).toEqual([code, false]);
    expect([cell.isCodeOfOtherCell('a'.repeat(32), 32), cell.isCodeOfOtherCell('a'.repeat(32))]).toEqual([
      true,
      false,
    ]);
    expect(new DeploymentCell('k').isCodeOfOtherCell(`a${RANDOM}`)).toBe(false);
  });
});

describe('An id that contains its cell', () => {
  it('is a unique UUID of version 8 with the cell in its last byte, ordered by creation time', () => {
    const ids = Array.from({ length: 1_000 }, () => new DeploymentCell('k').newMarkedId<string>());

    expect(new Set(ids).size).toBe(1_000);
    expect(ids.every((id) => isUuid(id) && id[14] === '8' && id.endsWith('6b'))).toBe(true);
    expect([...ids].sort()).toEqual(ids);
  });
});

describe('The setting of cells', () => {
  it('accepts only one letter or digit for each cell', () => {
    expect([parseCellMark('0'), parseCellMark('Z'), parseOtherCells('ab1', '0')]).toEqual(['0', 'Z', 'ab1']);
    for (const text of ['', '10', '-', 'é', 'a\n'])
      expect(() => parseCellMark(text)).toThrow('one letter or digit');
    for (const text of ['a,b', '-', 'a\n'])
      expect(() => parseOtherCells(text, '0')).toThrow('letters and digits');
    expect(() => parseOtherCells('a0', '0')).toThrow('must not contain 0');
  });
});
