import { describe, expect, it } from '@jest/globals';
import { plantedSource, transpiled } from './plant-bug.js';
import { PLANTED_BUGS } from './planted-bugs.js';

const PROJECT = process.cwd();

describe('The bugs that the simulator is to find', () => {
  it.each(PLANTED_BUGS)('stand once in the source, and compile: $name', (bug) => {
    const source = plantedSource(PROJECT, bug);
    expect(source).toContain(bug.to);
    expect(bug.to).not.toBe(bug.from);
    expect(transpiled(bug, source)).toContain('export ');
  });

  it('have names of their own', () => {
    expect(new Set(PLANTED_BUGS.map(({ name }) => name)).size).toBe(PLANTED_BUGS.length);
  });

  it('want faults, reorganisations or races in a third of all cases', () => {
    const hidden = PLANTED_BUGS.filter(({ shows }) => shows !== 'always');
    expect(hidden.length * 3).toBeGreaterThan(PLANTED_BUGS.length);
  });
});
