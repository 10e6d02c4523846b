import { InProcessBus, systemRng } from '@weir/shared';
import { busContract } from './bus-contract.ts';

busContract('the in-process bus', async () => new InProcessBus(systemRng));
