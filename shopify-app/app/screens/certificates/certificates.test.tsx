import { describeStates } from '../testing/describe-states.ts';
import { STATES } from './certificates.states.tsx';

describeStates('the list', STATES);
