import { describe, expect, it } from '@jest/globals';
import { demandMayManage, demandOwnerLeft, roleFrom, type Collaborator } from './collaborator.js';

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
      expect(() => demandMayManage(manager, 'owner')).not.toThrow();
    expect(() => demandMayManage('admin', 'viewer', 'owner')).toThrow(
      'can be granted or removed only by an Owner',
    );
    expect(() => demandMayManage('admin', 'viewer', 'admin')).not.toThrow();
  });

  it('does not remove the last Owner', () => {
    expect(() => demandOwnerLeft(owner, { role: 'admin', enabled: true }, 0)).toThrow('last Owner');
    expect(() => demandOwnerLeft(owner, { role: 'owner', enabled: false }, 0)).toThrow('last Owner');
    expect(() => demandOwnerLeft(owner, { role: 'admin', enabled: true }, 1)).not.toThrow();
    expect(() =>
      demandOwnerLeft({ ...owner, role: 'admin' }, { role: 'viewer', enabled: true }, 0),
    ).not.toThrow();
  });
});
