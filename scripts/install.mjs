// Installs what package-lock.json names, when it is not there yet.
import { install } from './lib/install.mjs';
import { main } from './lib/say.mjs';

await main(install);
