if (!fromAddress()) seek(0);
