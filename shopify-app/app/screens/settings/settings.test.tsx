import { describeStories } from '../testing/describe-stories.ts';
import { STORIES } from './settings.stories.tsx';

describeStories('the settings', STORIES);
