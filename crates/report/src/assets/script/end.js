// The replay begins with the first pose.
if (!fromAddress()) seek(data.begin ?? 0);
