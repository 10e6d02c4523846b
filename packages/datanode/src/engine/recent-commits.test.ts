import { describe, expect, it } from '@jest/globals';
import { RecentCommits } from './recent-commits.ts';

describe('RecentCommits', () => {
  it('knows nothing before the first commit, and forgets old ones', () => {
    const commits = new RecentCommits();
    expect(commits.medianMs()).toBeUndefined();
    for (const ms of [1, 100, 2]) commits.add(ms);
    expect(commits.medianMs()).toBe(2);
    for (let at = 0; at < 32; at++) commits.add(7);
    expect(commits.medianMs()).toBe(7);
  });
});
