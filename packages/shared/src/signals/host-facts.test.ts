import { availableParallelism, totalmem } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { readHostFacts } from './host-facts.ts';

describe('host facts', () => {
  it('tell what this machine is', async () => {
    const facts = await readHostFacts();
    expect(facts.cores).toBeGreaterThanOrEqual(availableParallelism());
    expect(facts.memoryBytes).toBe(totalmem());
    expect(facts.os).not.toBe('');
    expect(facts.kernel).not.toBe('');
    expect(facts.architecture).not.toBe('');
  });
});
