import { describeStates } from '../testing/describe-states.ts';
import { STATES } from './variant.states.tsx';

describeStates('the variant', STATES);
