import { describe, expect, it } from '@jest/globals';
import { requireMayManage, requireRemainingOwner, roleFrom, type Collaborator } from './collaborator.js';

const owner = { role: 'owner', enabled: true } as Collaborator;

describe('A collaborator', () => {
  it('has one of four roles', () => {
    expect(['owner', 'admin', 'developer', 'viewer'].map(roleFrom)).toEqual([
      'owner',
      'admin',
      'developer',
      'viewer',
    ]);
    expect(() => roleFrom('Owner')).toThrow('role: must be one of');
  });
});

describe('The management of Owners', () => {
  it('is allowed only to Owners and the operator', () => {
    for (const manager of ['owner', 'operator'] as const)
      expect(() => requireMayManage(manager, 'owner')).not.toThrow();
    expect(() => requireMayManage('admin', 'viewer', 'owner')).toThrow(
      'can be granted or removed only by an Owner',
    );
    expect(() => requireMayManage('admin', 'viewer', 'admin')).not.toThrow();
  });

  it('does not remove the last Owner', () => {
    expect(() => requireRemainingOwner(owner, { role: 'admin', enabled: true }, 0)).toThrow('last Owner');
    expect(() => requireRemainingOwner(owner, { role: 'owner', enabled: false }, 0)).toThrow('last Owner');
    expect(() => requireRemainingOwner(owner, { role: 'admin', enabled: true }, 1)).not.toThrow();
    expect(() =>
      requireRemainingOwner({ ...owner, role: 'admin' }, { role: 'viewer', enabled: true }, 0),
    ).not.toThrow();
  });
});
