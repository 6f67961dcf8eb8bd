import { describeStates } from '../testing/describe-states.ts';
import { STATES } from './catalog.states.tsx';

describeStates('the catalog', STATES);
